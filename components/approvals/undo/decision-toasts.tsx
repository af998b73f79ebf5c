"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useEffect, useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { Button } from "@/components/ui/button";
import { CHOICE_TEXT } from "./choice-text";
import { decisions } from "./decisions";
import { OutcomeLine } from "./outcome-line";
import { useDecisions } from "./use-decisions";
import { listFailures, isUnderWay, type WaitingDecision } from "./waiting-decision";
import { WaitingBar } from "./waiting-bar";

const Ended = ({ waiting }: { readonly waiting: WaitingDecision }) => {
  if (waiting.phase === "undone") return <p className="text-sm">Undone. Nothing was sent.</p>;
  const failures = listFailures(waiting);
  const [only] = waiting.parts;
  if (waiting.parts.length === 1 && only?.outcome) return <OutcomeLine outcome={only.outcome} runId={null} />;

  return (
    <>
      <p className="text-sm">
        {waiting.parts.length - failures.length} of {waiting.parts.length} committed.
      </p>
      {failures.map(({ approvalId, title, outcome }) => (
        <div key={approvalId}>
          <Link href={`/approvals/${approvalId}`} className="text-sm font-medium underline underline-offset-2">
            {title}
          </Link>
          {outcome ? <OutcomeLine outcome={outcome} runId={null} /> : null}
        </div>
      ))}
    </>
  );
};

const Following = ({ waiting }: { readonly waiting: WaitingDecision }) => (
  <li className="flex flex-col gap-2 rounded-lg border bg-surface p-3 shadow-float">
    <div className="flex items-start gap-2">
      <Link href={waiting.href} className="min-w-0 flex-1 text-sm font-medium break-words first-letter:uppercase hover:underline">
        {CHOICE_TEXT[waiting.choice].noun}: {waiting.title}
      </Link>
      {isUnderWay(waiting) ? null : (
        <Button variant="ghost" size="icon" aria-label="Dismiss" onClick={() => decisions.forget(waiting.id)}>
          <X aria-hidden />
        </Button>
      )}
    </div>
    {isUnderWay(waiting) ? <WaitingBar waiting={waiting} /> : <Ended waiting={waiting} />}
  </li>
);

const spoken = (waiting: WaitingDecision | undefined): string => {
  if (!waiting) return "";
  if (waiting.phase === "counting") return "Sending your decision in 5 seconds. Press u to undo.";
  if (waiting.phase === "sending") return "Committing.";

  if (waiting.phase === "undone") return "Undone. Nothing was sent.";

  return `${waiting.parts.length - listFailures(waiting).length} of ${waiting.parts.length} committed.`;
};

export const DecisionToasts = () => {
  const all = useDecisions();
  const following = all.filter(({ id }) => !decisions.isShown(id));
  const newest = all.findLast(({ phase }) => phase === "counting")?.id;
  const isBusy = all.some(isUnderWay);
  const shortcuts = useMemo(
    () => (newest === undefined ? [] : [{ keys: ["u"], label: "Undo decision", group: "Decision", run: () => decisions.undo(newest) }]),
    [newest],
  );
  useShortcuts(shortcuts);

  // Closing would lose an unsent decision.
  useEffect(() => {
    if (!isBusy) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);

    return () => window.removeEventListener("beforeunload", ask);
  }, [isBusy]);

  return (
    <>
      <p aria-live="polite" className="sr-only">
        {spoken(following.at(-1))}
      </p>
      {following.length === 0 ? null : (
        <ul
          aria-label="Decisions in progress"
          className="fixed bottom-4 left-4 z-50 flex max-h-[60vh] w-96 max-w-[calc(100vw-32px)] flex-col gap-2 overflow-y-auto"
        >
          {following.map((waiting) => (
            <Following key={waiting.id} waiting={waiting} />
          ))}
        </ul>
      )}
    </>
  );
};
