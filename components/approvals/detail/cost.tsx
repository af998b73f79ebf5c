import { Panel } from "@/components/ui/panel";
import { count, money } from "@/lib/format";
import type { ApprovalDetails } from "@/components/approvals/types";

/** What the run has cost by now, and the worst that it can come to. */
export const Cost = ({ run, cost }: Pick<ApprovalDetails, "run" | "cost">) => (
  <Panel title="Cost">
    <dl className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-4 px-3 py-2 text-sm max-sm:grid-cols-1">
      <dt className="text-xs leading-6 text-muted">So far</dt>
      <dd className="tabular leading-6">
        {money(cost.so_far)}
        {run.budget_micro_usd === null ? "" : ` of ${money(run.budget_micro_usd)}`}, {count(run.total_tokens)} tokens
      </dd>
      <dt className="text-xs leading-6 text-muted">At worst, in all</dt>
      <dd className="tabular leading-6">
        {cost.worst_after === null ? "nothing bounds it" : `${money(cost.worst_after)}, ${money(cost.worst_after - cost.so_far)} more`}
      </dd>
    </dl>
  </Panel>
);
