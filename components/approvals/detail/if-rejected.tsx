import { Panel } from "@/components/ui/panel";
import { toVisibleText } from "@/components/values/visible-text";
import type { ApprovalDetails } from "@/components/approvals/types";
import { describeRejectionLines } from "./rejection-text";

type Props = { readonly ifRejected: ApprovalDetails["ifRejected"]; readonly isQuestion: boolean };

export const IfRejected = ({ ifRejected, isQuestion }: Props) =>
  ifRejected === null ? null : (
    <Panel
      title={isQuestion ? "What happens if I decline?" : "What happens if I reject?"}
      actions={<span className="text-xs text-muted">simulated on a copy; nothing is changed</span>}
    >
      <ul className="flex flex-col gap-1 px-3 py-2 text-sm">
        {describeRejectionLines(ifRejected, isQuestion).map((line) => (
          <li key={line}>{toVisibleText(line)}</li>
        ))}
      </ul>
    </Panel>
  );
