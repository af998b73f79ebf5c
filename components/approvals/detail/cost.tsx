import { Panel } from "@/components/ui/panel";
import { count, money } from "@/lib/format";
import type { ApprovalDetails } from "@/components/approvals/types";

/** What the run has cost by now. */
export const Cost = ({ run }: Pick<ApprovalDetails, "run">) => (
  <Panel title="Cost">
    <dl className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-4 px-3 py-2 text-sm">
      <dt className="text-xs leading-6 text-muted">So far</dt>
      <dd className="tabular leading-6">
        {money(run.total_micro_usd)}
        {run.budget_micro_usd === null ? "" : ` of ${money(run.budget_micro_usd)}`}, {count(run.total_tokens)} tokens
      </dd>
    </dl>
  </Panel>
);
