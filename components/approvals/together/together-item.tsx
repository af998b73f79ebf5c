import { X } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { DigestChip } from "@/components/ui/digest-chip";
import { Mark } from "@/components/ui/marks/mark";
import type { Outcome } from "@/components/approvals/undo/waiting-decision";
import { ViewLines } from "@/components/approvals/view-lines";
import { OutcomeLine } from "@/components/approvals/undo/outcome-line";
import { explainNotThis, type Shown } from "./bulk-decision";

type Props = { readonly shown: Shown; readonly outcome: Outcome | null; readonly onRemove: (() => void) | null };

/** Request of a batch, with its bound digests. */
export const TogetherItem = ({ shown, outcome, onRemove }: Props) => {
  const { details, sealed } = shown;
  const { view, approval, people } = details;
  const reason = outcome === null ? explainNotThis(shown) : null;

  return (
    <li className="flex flex-col gap-1 border-b px-3 py-2 last:border-b-0">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Link href={`/approvals/${approval.id}`} className="font-medium hover:underline">
            {view.summary ?? view.effect}
          </Link>
          <p className="text-sm">{view.authority}</p>
          <p className="truncate text-xs text-muted">
            {approval.graphName}: {view.prompt}
          </p>
        </div>
        {onRemove ? (
          <Button variant="ghost" size="icon" aria-label={`Leave out ${view.prompt}`} onClick={onRemove}>
            <X aria-hidden />
          </Button>
        ) : null}
      </div>
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        Transition <DigestChip digest={view.transition_digest} label="transition digest" />
        View <DigestChip digest={sealed.viewDigest} label="view digest" />
        {reason === null ? null : <Mark kind="refused">{reason}</Mark>}
      </div>
      {view.lines.length === 0 ? null : (
        // Open: the view digest covers all of it.
        <details open>
          <summary className="text-xs font-medium text-muted hover:text-ink">View contents</summary>
          <div className="mt-1 flex flex-col gap-2">
            <ViewLines view={view} people={people} viewDigest={sealed.viewDigest} />
          </div>
        </details>
      )}
      {outcome ? <OutcomeLine outcome={outcome} runId={approval.runId} /> : null}
    </li>
  );
};
