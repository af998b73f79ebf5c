"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import type { Finding } from "@/lib/engine/approvals/case";
import { useAnswer } from "./answer/use-answer";
import { keepArmed, type Act, type Armed } from "./hand/arming";
import { canCommitNow, useArming } from "./hand/use-arming";
import { useSigning } from "./passkey/use-signing";
import type { SealedView } from "./sealed-view";
import type { ApprovalDetails } from "./types";
import { decisions } from "./undo/decisions";
import { sendDecision } from "./undo/send-decision";
import { useShownDecision } from "./undo/use-decisions";
import { isUnderWay, type Choice } from "./undo/waiting-decision";

/** Rejections need a reason, except verdicts, which have findings. */
export const needsReason = (choice: Choice, isCase: boolean): boolean => choice === "request_changes" || (choice === "reject" && !isCase);

/** Arms and commits a decision. The armed choice is bound to the view on screen; another view disarms it. */
export const useDecision = (details: ApprovalDetails, sealed: SealedView) => {
  const { id } = details.approval;
  const isCase = details.approval.reason === "review";
  const [trpc, client, queries] = [useTRPC(), useTRPCClient(), useQueryClient()];
  const waiting = useShownDecision(id);
  const arming = useArming(id);
  const [armed, setArmed] = useState<Armed<Choice> | null>(null);
  // A decision that failed while another page was shown comes back with its reason.
  const [reason, setReason] = useState(() => decisions.all().find((one) => one.id === id)?.reason ?? "");
  const [isReasonMissing, setReasonMissing] = useState(false);
  const signing = useSigning(details);
  const answer = useAnswer(details);
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const current = details.can_decide.ok ? keepArmed(armed, sealed.viewDigest) : null;
  const choice = current?.choice ?? null;
  const isPending = waiting !== null && isUnderWay(waiting);

  return {
    choice,
    /** Whether the view changed after a choice was armed. */
    wasChanged: armed !== null && keepArmed(armed, sealed.viewDigest) === null,
    /** Why the last key was ignored; empty: it was not. */
    armingRefusal: arming.refusal,
    /** Whether this is a reviewer's verdict, counted with others and judged afterwards. */
    isCase,
    /** Whether a tool asks for input. */
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
    /** Answer to a tool's question; null: there is none, or it is hidden from this reader. */
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
    /** Starts the time to undo; nothing is sent yet. @returns false when a reason is missing */
    commit: (act: Act): boolean => {
      if (current === null || choice === null || isPending || !canCommitNow(current.atMs, act)) return true;
      if (needsReason(choice, isCase) && reason.trim() === "") {
        setReasonMissing(true);

        return false;
      }
      const title = isCase ? details.view.prompt : details.view.effect;
      if (choice === "approve" && answer && !answer.check()) return false;
      const answers = choice === "approve" ? (answer?.answers ?? null) : null;
      const asked = { choice, viewDigest: sealed.viewDigest, reason, findings: isCase ? findings : null, answers };
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
    /** Last decision confirmed here. */
    waiting,
    isPending,
  };
};

export type Decision = ReturnType<typeof useDecision>;
