"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import type { Finding } from "@/lib/engine/approvals/case";
import { useAnswer } from "./answer/use-answer";
import { keepArmed, type Act, type Armed } from "@/components/arming/arming";
import { canCommitNow, useArming } from "@/components/arming/use-arming";
import { useSigning } from "./passkey/use-signing";
import type { SeeingState } from "./seeing/use-seeing";
import type { SealedView } from "./sealed-view";
import type { ApprovalDetails } from "./types";
import { decisions } from "./undo/decisions";
import { sendDecision } from "./undo/send-decision";
import { useShownDecision } from "./undo/use-decisions";
import { isUnderWay, type Choice } from "./undo/waiting-decision";

/** Verdicts have findings instead of a reason. */
export const needsReason = (choice: Choice, isCase: boolean): boolean => choice === "request_changes" || (choice === "reject" && !isCase);

export const useDecision = (details: ApprovalDetails, sealed: SealedView, seeing: SeeingState) => {
  const { id } = details.approval;
  const isCase = details.approval.reason === "review";
  const [trpc, client, queries] = [useTRPC(), useTRPCClient(), useQueryClient()];
  const waiting = useShownDecision(id);
  const arming = useArming(id);
  const [armed, setArmed] = useState<Armed<Choice> | null>(null);
  // A decision that failed elsewhere keeps its reason.
  const [reason, setReason] = useState(() => decisions.all().find((one) => one.id === id)?.reason ?? "");
  const [isReasonMissing, setReasonMissing] = useState(false);
  const signing = useSigning(details);
  const answer = useAnswer(details);
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const current = details.canDecide.ok ? keepArmed(armed, sealed.viewDigest) : null;
  const choice = current?.choice ?? null;
  const isPending = waiting !== null && isUnderWay(waiting);

  return {
    choice,
    /** The view changed after arming. */
    wasChanged: armed !== null && keepArmed(armed, sealed.viewDigest) === null,
    /** Empty: the key was accepted. */
    armingRefusal: arming.refusal,
    /** Reviewer's verdict, judged afterwards. */
    isCase,
    isQuestion: details.approval.reason === "tool_input",
    findings,
    setFindings,
    reason,
    setReason: (next: string) => {
      setReason(next);
      setReasonMissing(false);
    },
    isReasonMissing,
    signing: signing.signing,
    /** Null: no question, or hidden from this reader. */
    answer,
    arm: (next: Choice, act: Act) => {
      const atMs = arming.arm(act);
      if (atMs === null || (next === "approve" && answer && !answer.check())) return;
      decisions.forget(id);
      setReasonMissing(false);
      signing.reset();
      setArmed({ choice: next, view: sealed.viewDigest, atMs });
    },
    disarm: () => {
      signing.reset();
      setArmed(null);
    },
    /** Starts the countdown. @returns false when a reason is missing */
    commit: (act: Act): boolean => {
      if (current === null || choice === null || isPending || !canCommitNow(current.atMs, act)) return true;
      if (needsReason(choice, isCase) && reason.trim() === "") {
        setReasonMissing(true);

        return false;
      }
      const title = isCase ? details.view.prompt : details.view.effect;
      if (choice === "approve" && answer && !answer.check()) return false;
      const answers = choice === "approve" ? (answer?.answers ?? null) : null;
      const viewing = choice === "approve" && !isCase ? seeing.getViewing(sealed.viewDigest, Date.now()) : null;
      const asked = { choice, viewDigest: sealed.viewDigest, reason, findings: isCase ? findings : null, answers, viewing };
      const begin = (assertion?: Assertion) => {
        decisions.begin(
          { id, choice, title, href: `/approvals/${id}`, reason, parts: [{ approvalId: id, title }] },
          (approvalId, isTooLate) => sendDecision({ trpc, client, queries }, { ...asked, approvalId, assertion }, isTooLate),
        );
        setArmed(null);
      };
      if (signing.isNeeded(choice)) signing.signThen(choice, sealed.viewDigest, begin);
      else begin();

      return true;
    },
    waiting,
    isPending,
  };
};

export type Decision = ReturnType<typeof useDecision>;
