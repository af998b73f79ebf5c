import { Panel } from "@/components/ui/panel";
import { toVisibleText } from "@/components/values/visible-text";
import type { ApprovalDetails } from "@/components/approvals/types";

export const Findings = ({ policy }: Pick<ApprovalDetails, "policy">) => (
  <Panel
    title="Policy"
    actions={
      <span className="tabular text-xs text-muted">
        {policy.length} {policy.length === 1 ? "finding" : "findings"}
      </span>
    }
  >
    {policy.length === 0 ? (
      <p className="px-3 py-2 text-sm text-muted">No policy findings.</p>
    ) : (
      <ul>
        {policy.map(({ code, text }) => (
          <li key={code} className="flex flex-wrap items-baseline gap-x-3 border-b px-3 py-1.5 text-sm last:border-b-0">
            <span className="min-w-0 flex-[1_1_16rem]">{toVisibleText(text)}</span>
            <span className="font-mono text-xs text-faint">{code}</span>
          </li>
        ))}
      </ul>
    )}
  </Panel>
);
