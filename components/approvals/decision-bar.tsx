"use client";

import { useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/kbd";
import { ConfirmBar } from "./confirm-bar";
import { actOf, BY_KEY, type Act } from "@/components/arming/arming";
import { ArmingRefusal } from "@/components/arming/arming-refusal";
import { PasskeyNeed } from "./passkey/passkey-need";
import { SigningLine } from "./passkey/signing-line";
import { explainUnseen, UnseenBar } from "./seeing/unseen-bar";
import type { SeeingState } from "./seeing/use-seeing";
import type { ApprovalDetails } from "./types";
import { describeArmed, CHANGED_TEXT, CHOICE_TEXT } from "./undo/choice-text";
import { OutcomeLine } from "./undo/outcome-line";
import { isUnderWay, type Choice, type WaitingDecision } from "./undo/waiting-decision";
import { WaitingBar } from "./undo/waiting-bar";
import { needsReason, type Decision } from "./use-decision";

type Props = {
  readonly details: ApprovalDetails;
  readonly decision: Decision;
  readonly seeing: SeeingState;
  readonly fault: string | null;
};

/** A verdict is counted; the judge decides. */
const VERDICT_TEXT = {
  approve: "Counts towards the required approvals. The judge's rules still apply.",
  reject: "One rejection fails the case.",
  abstain: "Recorded as neither an approval nor a rejection.",
  request_changes: "",
} as const satisfies Record<Choice, string>;

const CONSEQUENCE = {
  reject: "The run takes its rejection path. Nothing is written.",
  abstain: "",
  request_changes: "Nothing proposed here is carried out. Your note goes back to the proposer.",
} as const satisfies Record<Exclude<Choice, "approve">, string>;

/** Approving answers a tool's question; rejecting declines it. */
const QUESTION_TEXT = {
  approve: { name: "Answer", consequence: "Sends your answer to the tool and continues its call." },
  reject: { name: "Decline", consequence: "Tells the tool that its question was declined. Your reason is not sent." },
} as const;

const consequenceOf = ({ isCase, isQuestion, findings }: Decision, choice: Choice, authority: string): string => {
  if (isQuestion && (choice === "approve" || choice === "reject")) return QUESTION_TEXT[choice].consequence;
  if (isCase)
    return `${VERDICT_TEXT[choice]}${findings.length === 0 ? "" : ` Includes ${findings.length} finding${findings.length === 1 ? "" : "s"}.`}`;

  return choice === "approve" ? authority : CONSEQUENCE[choice];
};

const spokenOf = ({ choice, isQuestion, waiting }: Decision, { authority, effect }: ApprovalDetails["view"]): string => {
  if (choice === "approve")
    return `${describeArmed(choice, isQuestion).armed} ${authority} ${effect} Press Enter to confirm or Escape to cancel.`;
  if (choice) return `${describeArmed(choice, isQuestion).armed} Press Enter to confirm or Escape to cancel.`;
  if (waiting?.phase === "counting") return "Sending in 5 seconds. Press u to undo.";
  if (waiting?.phase === "sending") return "Committing.";

  return waiting?.phase === "undone" ? "Undone. Nothing was sent." : "";
};

const Ended = ({ waiting, runId }: { readonly waiting: WaitingDecision; readonly runId: string }) => {
  if (waiting.phase === "undone") return <p className="mb-2 text-sm">Undone. Nothing was sent.</p>;
  const outcome = waiting.parts[0]?.outcome;

  return outcome ? (
    <div className="mb-2">
      <OutcomeLine outcome={outcome} runId={runId} />
    </div>
  ) : null;
};

const isUnfinished = ({ answer, choice, isPending }: Decision): boolean =>
  answer !== null && answer.areFaultsShown && answer.answers === null && choice === null && !isPending;

const COVERED = {
  proposal: "Your decision applies only to this exact transition and view, identified by their digests.",
  question: "Your decision applies only to this exact transition and view, identified by their digests. Your answer is recorded with it.",
} as const;

type Option = { readonly choice: Choice; readonly name: string; readonly key: string; readonly reason: string | null };

type Blocks = {
  readonly blocked: string | null;
  readonly unchangeable: string | null;
  readonly unsigned: string | null;
};

const optionsOf = (
  { isCase, isQuestion }: Pick<Decision, "isCase" | "isQuestion">,
  { blocked, unchangeable, unsigned }: Blocks,
): readonly Option[] => [
  isCase
    ? { choice: "abstain", name: "Abstain", key: "n", reason: blocked }
    : { choice: "request_changes", name: "Request changes", key: "c", reason: blocked ?? unchangeable },
  { choice: "reject", name: isQuestion ? QUESTION_TEXT.reject.name : "Reject", key: "r", reason: blocked },
  { choice: "approve", name: isQuestion ? QUESTION_TEXT.approve.name : "Approve", key: "a", reason: blocked ?? unsigned },
];

const Options = ({ options, onArm }: { readonly options: readonly Option[]; readonly onArm: (choice: Choice, act: Act) => void }) =>
  options.map(({ choice, name, key, reason }) => (
    <Button
      key={choice}
      variant={CHOICE_TEXT[choice].variant}
      disabledReason={reason}
      size="decision"
      onClick={(event) => onArm(choice, actOf(event))}
    >
      {name} <Kbd>{key}</Kbd>
    </Button>
  ));

export const DecisionBar = ({ details, decision, seeing, fault }: Props) => {
  const { canDecide, mayRequestChanges, view, run } = details;
  const blocked = canDecide.ok ? fault : canDecide.reason;
  const { arm, choice, isCase, isQuestion, isPending, waiting } = decision;
  const unchangeable = mayRequestChanges.ok ? null : mayRequestChanges.reason;
  const unsigned = details.passkey.required && !details.passkey.has ? "Approving this requires a passkey, and you don't have one." : null;
  const unseen = isQuestion && decision.answer === null ? "Your role can't see this question, so you can't answer it." : null;
  const unopened = explainUnseen(seeing);
  const options = useMemo(
    () => optionsOf({ isCase, isQuestion }, { blocked, unchangeable, unsigned: unsigned ?? unseen ?? unopened }),
    [isCase, isQuestion, blocked, unchangeable, unsigned, unseen, unopened],
  );
  const shortcuts = useMemo(
    () =>
      choice !== null || isPending
        ? []
        : options.map((option) => ({
            keys: [option.key],
            label: option.name,
            group: "Decision",
            decides: true as const,
            whyNot: () => option.reason,
            run: () => arm(option.choice, BY_KEY),
          })),
    [choice, isPending, options, arm],
  );
  useShortcuts(shortcuts);

  return (
    <footer aria-label="Decision" className="sticky bottom-0 z-10 shrink-0 border-t bg-surface px-6 py-3 max-sm:px-3">
      <p aria-live="assertive" className="sr-only">
        {spokenOf(decision, view)}
      </p>
      {decision.wasChanged ? <Callout kind="tainted" title={CHANGED_TEXT} alert className="mb-2" /> : null}
      {waiting && !isUnderWay(waiting) ? <Ended waiting={waiting} runId={run.id} /> : null}
      {details.passkey.required && canDecide.ok && !isPending ? <PasskeyNeed has={details.passkey.has} /> : null}
      {choice || isPending || blocked !== null ? null : <UnseenBar seeing={seeing} />}
      {choice || isPending ? null : <ArmingRefusal text={decision.armingRefusal} />}
      <SigningLine signing={decision.signing} />
      {isUnfinished(decision) ? <Callout kind="refused" title="Fix the marked fields before you answer." alert className="mb-2" /> : null}
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
        <div className="flex flex-wrap items-center gap-3 max-sm:gap-2">
          <p className={cn("min-w-0 flex-1 text-sm text-muted max-sm:basis-full", blocked === null && "max-sm:hidden")}>
            {blocked ?? COVERED[isQuestion ? "question" : "proposal"]}
          </p>
          <Options options={options} onArm={arm} />
        </div>
      )}
    </footer>
  );
};
