import { Panel } from "@/components/ui/panel";
import { count, formatMoney } from "@/lib/format";
import type { ApprovalDetails } from "@/components/approvals/types";

export const Cost = ({ run, cost }: Pick<ApprovalDetails, "run" | "cost">) => (
  <Panel title="Cost">
    <dl className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-4 px-3 py-2 text-sm max-sm:grid-cols-1">
      <dt className="text-xs leading-6 text-muted">So far</dt>
      <dd className="tabular leading-6">
        {formatMoney(cost.soFar)}
        {run.budgetMicroUsd === null ? "" : ` of ${formatMoney(run.budgetMicroUsd)}`}, {count(run.totalTokens)} tokens
      </dd>
      <dt className="text-xs leading-6 text-muted">Worst case</dt>
      <dd className="tabular leading-6">
        {cost.worstAfter === null
          ? "Unlimited"
          : `${formatMoney(cost.worstAfter)} in total, ${formatMoney(cost.worstAfter - cost.soFar)} more`}
      </dd>
    </dl>
  </Panel>
);
