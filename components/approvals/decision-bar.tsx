"use client";

import { useMemo } from "react";
import { useShortcuts } from "@/components/shell/shortcuts/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Kbd } from "@/components/ui/kbd";
import { ConfirmBar } from "./confirm-bar";
import { actOf, BY_KEY, type Act } from "./hand/arming";
import { ArmingRefusal } from "./hand/arming-refusal";
import { PasskeyNeed } from "./passkey/passkey-need";
import { SigningLine } from "./passkey/signing-line";
import type { ApprovalDetails } from "./types";
import { armedText, CHOICE_TEXT } from "./undo/choice-text";
import { OutcomeLine } from "./undo/outcome-line";
import { isUnderWay, type Choice, type WaitingDecision } from "./undo/waiting-decision";
import { WaitingBar } from "./undo/waiting-bar";
import { needsReason, type Decision } from "./use-decision";

type Props = {
  readonly details: ApprovalDetails;
  readonly decision: Decision;
  /** Why nobody may decide about what is on screen. */ readonly fault: string | null;
};

/** What a verdict does: it is counted, and the judge decides. */
const VERDICT_TEXT = {
  approve: "It counts towards the approvals that are needed; a judge still decides by its rules.",
  reject: "One rejection and the case does not pass.",
  abstain: "You have spoken, and neither approve nor reject.",
  request_changes: "",
} as const satisfies Record<Choice, string>;

const CONSEQUENCE = {
  reject: "The run takes its rejection path; nothing is written.",
  abstain: "",
  request_changes: "Nothing of it happens; your words go back to whoever proposed it.",
} as const satisfies Record<Exclude<Choice, "approve">, string>;

/** To a tool that asks, a yes is an answer, and a no is told to it as well. */
const QUESTION_TEXT = {
  approve: { name: "Answer", consequence: "The tool is told what you entered, and its call goes on." },
  reject: { name: "Decline", consequence: "The tool is told that nobody answers, and nothing else; your reason stays here." },
} as const;

const consequenceOf = ({ isCase, isQuestion, findings }: Decision, choice: Choice, authority: string): string => {
  if (isQuestion && (choice === "approve" || choice === "reject")) return QUESTION_TEXT[choice].consequence;
  if (isCase)
    return `${VERDICT_TEXT[choice]}${findings.length === 0 ? "" : ` With ${findings.length} finding${findings.length === 1 ? "" : "s"}.`}`;

  return choice === "approve" ? authority : CONSEQUENCE[choice];
};

/** What is said aloud: before a decision is committed, what it hands out; then that it can be taken back. */
const spokenOf = ({ choice, isQuestion, waiting }: Decision, { authority, effect }: ApprovalDetails["view"]): string => {
  if (choice === "approve") return `${armedText(choice, isQuestion).armed} ${authority} ${effect} Enter commits, Escape disarms.`;
  if (choice) return `${armedText(choice, isQuestion).armed} Enter commits, Escape disarms.`;
  if (waiting?.phase === "counting") return "Committing in 5 seconds. Press u to undo.";
  if (waiting?.phase === "sending") return "Committing.";

  return waiting?.phase === "undone" ? "Undone: nothing was sent." : "";
};

const Ended = ({ waiting, runId }: { readonly waiting: WaitingDecision; readonly runId: string }) => {
  if (waiting.phase === "undone") return <p className="mb-2 text-sm">Undone: nothing was sent.</p>;
  const outcome = waiting.parts[0]?.outcome;

  return outcome ? (
    <div className="mb-2">
      <OutcomeLine outcome={outcome} runId={runId} />
    </div>
  ) : null;
};

/** Somebody wanted to answer with something missing. */
const isUnfinished = ({ answer, choice, isPending }: Decision): boolean =>
  answer !== null && answer.areFaultsShown && answer.answers === null && choice === null && !isPending;

/** What is decided about. */
const COVERED = {
  proposal: "Your decision covers the transition and the view by their digests, and nothing else.",
  question: "Your decision covers the transition and the view by their digests; what you enter is recorded with it.",
} as const;

type Way = { readonly choice: Choice; readonly name: string; readonly key: string; readonly reason: string | null };

type Blocks = {
  readonly blocked: string | null;
  /** Why nobody could act on changes here. */ readonly unchangeable: string | null;
  /** Why nobody could sign, or answer. */ readonly unsigned: string | null;
};

const waysOf = (
  { isCase, isQuestion }: Pick<Decision, "isCase" | "isQuestion">,
  { blocked, unchangeable, unsigned }: Blocks,
): readonly Way[] => [
  isCase
    ? { choice: "abstain", name: "Abstain", key: "n", reason: blocked }
    : { choice: "request_changes", name: "Request changes", key: "c", reason: blocked ?? unchangeable },
  { choice: "reject", name: isQuestion ? QUESTION_TEXT.reject.name : "Reject", key: "r", reason: blocked },
  { choice: "approve", name: isQuestion ? QUESTION_TEXT.approve.name : "Approve", key: "a", reason: blocked ?? unsigned },
];

const Ways = ({ ways, onArm }: { readonly ways: readonly Way[]; readonly onArm: (choice: Choice, act: Act) => void }) =>
  ways.map(({ choice, name, key, reason }) => (
    <Button key={choice} variant={CHOICE_TEXT[choice].variant} disabledReason={reason} onClick={(event) => onArm(choice, actOf(event))}>
      {name} <Kbd>{key}</Kbd>
    </Button>
  ));

/** Approve, reject and the rest, in two steps each, with time to take it back; never optimistic. */
export const DecisionBar = ({ details, decision, fault }: Props) => {
  const { can_decide: canDecide, may_request_changes: mayRequestChanges, view, run } = details;
  const blocked = canDecide.ok ? fault : canDecide.reason;
  const { arm, choice, isCase, isQuestion, isPending, waiting } = decision;
  const unchangeable = mayRequestChanges.ok ? null : mayRequestChanges.reason;
  const unsigned = details.passkey.required && !details.passkey.has ? "Approving this needs a passkey, and you have none." : null;
  const unseen =
    isQuestion && decision.answer === null ? "What it asks is hidden from your role, and nobody answers what they are not shown." : null;
  const ways = useMemo(
    () => waysOf({ isCase, isQuestion }, { blocked, unchangeable, unsigned: unsigned ?? unseen }),
    [isCase, isQuestion, blocked, unchangeable, unsigned, unseen],
  );
  const shortcuts = useMemo(
    () =>
      choice !== null || isPending
        ? []
        : ways.map((way) => ({
            keys: [way.key],
            label: `Arm ${way.name.toLowerCase()}`,
            group: "Decision",
            decides: true as const,
            whyNot: () => way.reason,
            run: () => arm(way.choice, BY_KEY),
          })),
    [choice, isPending, ways, arm],
  );
  useShortcuts(shortcuts);

  return (
    <footer aria-label="Decision" className="sticky bottom-0 z-10 shrink-0 border-t bg-surface px-6 py-3">
      <p aria-live="assertive" className="sr-only">
        {spokenOf(decision, view)}
      </p>
      {decision.wasChanged ? (
        <Callout kind="tainted" title="What is shown has changed, so nothing is armed any more. Look again." alert className="mb-2" />
      ) : null}
      {waiting && !isUnderWay(waiting) ? <Ended waiting={waiting} runId={run.id} /> : null}
      {details.passkey.required && canDecide.ok && !isPending ? <PasskeyNeed has={details.passkey.has} /> : null}
      {choice || isPending ? null : <ArmingRefusal text={decision.armingRefusal} />}
      <SigningLine signing={decision.signing} />
      {isUnfinished(decision) ? (
        <Callout kind="refused" title="Not all of the form is filled in as it has to be. Nothing is armed." alert className="mb-2" />
      ) : null}
      {choice ? (
        <ConfirmBar
          key={choice}
          choice={choice}
          isQuestion={isQuestion}
          consequence={consequenceOf(decision, choice, view.authority)}
          reason={decision.reason}
          onReason={decision.setReason}
          needsReason={needsReason(choice, decision.isCase)}
          isReasonMissing={decision.isReasonMissing}
          onDisarm={decision.disarm}
          onCommit={decision.commit}
        />
      ) : null}
      {waiting && isPending ? <WaitingBar waiting={waiting} takesFocus /> : null}
      {choice || isPending ? null : (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 text-sm text-muted max-sm:basis-full">{blocked ?? COVERED[isQuestion ? "question" : "proposal"]}</p>
          <Ways ways={ways} onArm={arm} />
        </div>
      )}
    </footer>
  );
};
