import { X } from "lucide-react";
import Link from "next/link";
import { actOf, type Act } from "@/components/arming/arming";
import { ApprovalStatusMark } from "@/components/approvals/approval-status";
import { EditButton } from "@/components/approvals/detail/edit-dialog";
import { Signals } from "@/components/approvals/detail/signals";
import { useAround } from "@/components/approvals/detail/use-around";
import { OutcomeLine } from "@/components/approvals/undo/outcome-line";
import type { Outcome } from "@/components/approvals/undo/waiting-decision";
import { ViewLines } from "@/components/approvals/view-lines";
import { Button } from "@/components/ui/button";
import { DigestChip } from "@/components/ui/digest-chip";
import { Mark } from "@/components/ui/marks/mark";
import { toVisibleText } from "@/components/values/visible-text";
import { explainNotThis, type Shown } from "./bulk-decision";

type OwnProps = { readonly shown: Shown; readonly title: string; readonly onReject: ((act: Act) => void) | null };

const OwnActions = ({ shown: { details, sealed }, title, onReject }: OwnProps) => {
  const around = useAround(details.approval.id);
  const denied = details.canDecide.ok ? null : details.canDecide.reason;

  return (
    <>
      <EditButton
        details={details}
        schema={around.data?.schema ?? null}
        effect={sealed.transition?.effect ?? null}
        blocked={details.mayEdit.ok ? null : details.mayEdit.reason}
        hasKey={false}
      />
      <Button
        size="sm"
        variant="danger"
        aria-label={`Reject ${title}`}
        disabledReason={onReject === null ? "Another decision is under way" : denied}
        onClick={(event) => onReject?.(actOf(event))}
      >
        Reject
      </Button>
    </>
  );
};

type Props = {
  readonly shown: Shown;
  readonly isOpen: boolean;
  readonly outcome: Outcome | null;
  readonly onRemove: (() => void) | null;
  /** Null: not now. */
  readonly onReject: ((act: Act) => void) | null;
  /** @param by the replacing request */
  readonly onEdited: (by: string) => void;
};

export const TogetherItem = ({ shown, isOpen, outcome, onRemove, onReject, onEdited }: Props) => {
  const { details, sealed } = shown;
  const { view, approval, people, run, supersededBy } = details;
  const reason = outcome === null && isOpen ? explainNotThis(shown) : null;
  const title = toVisibleText(view.summary ?? view.effect);

  return (
    <li className="flex flex-col gap-2 border-b px-3 py-3 last:border-b-0">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-60 flex-1">
          <Link href={`/approvals/${approval.id}`} className="font-medium hover:underline">
            {title}
          </Link>
          <p className="text-sm">{view.authority}</p>
          <p className="truncate text-xs text-muted">
            {approval.graphName}: {view.prompt}
          </p>
        </div>
        <div className="flex items-center gap-2">
          {isOpen ? <OwnActions shown={shown} title={title} onReject={onReject} /> : null}
          {approval.status === "open" ? null : <ApprovalStatusMark status={approval.status} />}
          {approval.status === "superseded" && supersededBy !== null ? (
            <Button size="sm" onClick={() => onEdited(supersededBy)}>
              Show the edited request
            </Button>
          ) : null}
          {onRemove ? (
            <Button variant="ghost" size="icon" aria-label={`Leave out ${title}`} onClick={onRemove}>
              <X aria-hidden />
            </Button>
          ) : null}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        Transition <DigestChip digest={view.transition_digest} label="transition digest" />
        View <DigestChip digest={sealed.viewDigest} label="view digest" />
        {reason === null ? null : <Mark kind="refused">{reason}</Mark>}
      </div>
      <Signals signals={view.signals} runId={run.id} />
      {view.lines.length === 0 ? null : (
        // Open: the view digest covers all of it.
        <details open={isOpen}>
          <summary className="text-xs font-medium text-muted hover:text-ink">View contents</summary>
          <div className="mt-1 flex flex-col gap-2">
            <ViewLines view={view} people={people} viewDigest={sealed.viewDigest} readAt={details.readAt} />
          </div>
        </details>
      )}
      {outcome ? <OutcomeLine outcome={outcome} runId={approval.runId} /> : null}
    </li>
  );
};
