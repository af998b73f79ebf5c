import { Panel } from "@/components/ui/panel";
import { visibleText } from "@/components/runs/visible-text";
import type { ApprovalDetails } from "@/components/approvals/types";
import { rejectionLines } from "./rejection-text";

/** Worked out by the engine's own rules on a copy: nothing happens for it. */
export const IfRejected = ({ ifRejected }: { readonly ifRejected: ApprovalDetails["if_rejected"] }) =>
  ifRejected === null ? null : (
    <Panel title="What happens if I reject?" actions={<span className="text-xs text-muted">worked out on a copy, nothing is done</span>}>
      <ul className="flex flex-col gap-1 px-3 py-2 text-sm">
        {rejectionLines(ifRejected).map((line) => (
          <li key={line}>{visibleText(line)}</li>
        ))}
      </ul>
    </Panel>
  );
