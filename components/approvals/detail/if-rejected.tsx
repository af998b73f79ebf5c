import { Panel } from "@/components/ui/panel";
import { visibleText } from "@/components/runs/visible-text";
import type { ApprovalDetails } from "@/components/approvals/types";
import { rejectionLines } from "./rejection-text";

type Props = { readonly ifRejected: ApprovalDetails["if_rejected"]; readonly isQuestion: boolean };

/** Worked out by the engine's own rules on a copy: nothing happens for it. */
export const IfRejected = ({ ifRejected, isQuestion }: Props) =>
  ifRejected === null ? null : (
    <Panel
      title={isQuestion ? "What happens if I decline?" : "What happens if I reject?"}
      actions={<span className="text-xs text-muted">worked out on a copy, nothing is done</span>}
    >
      <ul className="flex flex-col gap-1 px-3 py-2 text-sm">
        {rejectionLines(ifRejected, isQuestion).map((line) => (
          <li key={line}>{visibleText(line)}</li>
        ))}
      </ul>
    </Panel>
  );
