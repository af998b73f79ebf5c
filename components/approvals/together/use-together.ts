"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import type { Act } from "@/components/arming/arming";
import { canCommitNow, useArming } from "@/components/arming/use-arming";
import { decisions } from "@/components/approvals/undo/decisions";
import { sendDecision } from "@/components/approvals/undo/send-decision";
import { useShownDecision } from "@/components/approvals/undo/use-decisions";
import { isUnderWay } from "@/components/approvals/undo/waiting-decision";
import type { SeeingState } from "@/components/approvals/seeing/use-seeing";
import { needsReason } from "@/components/approvals/use-decision";
import { computeDigests, isSame, type Shown } from "./bulk-decision";

export type TogetherChoice = "approve" | "reject";

type Armed = { readonly choice: TogetherChoice; readonly digests: ReadonlyMap<string, string>; readonly atMs: number };

const idOf = (ids: readonly string[]): string => (ids.length === 1 ? (ids[0] ?? "") : `together:${ids.toSorted().join(",")}`);

/** Arms and commits one decision per request, for all or one, bound to their views. */
export const useTogether = (shown: readonly Shown[], seeing: SeeingState, blocked: string | null) => {
  const [trpc, client, queries] = [useTRPC(), useTRPCClient(), useQueryClient()];
  const ids = shown.map(({ details }) => details.approval.id);
  /** Of the decision under way; null: about all. */
  const [subject, setSubject] = useState<readonly string[] | null>(null);
  const id = idOf(subject ?? ids);
  const waiting = useShownDecision(id);
  // Of the page: choosing must not restart the look.
  const arming = useArming(idOf(ids));
  const [armed, setArmed] = useState<Armed | null>(null);
  const [reason, setReason] = useState("");
  const [isReasonMissing, setReasonMissing] = useState(false);
  const covered = shown.filter(({ details }) => armed?.digests.has(details.approval.id) === true);
  const unchanged = armed !== null && isSame(armed.digests, computeDigests(covered));
  // One request is decided alone, whatever blocks the others.
  const choice = unchanged && (blocked === null || covered.length === 1) ? armed.choice : null;

  return {
    choice,
    covered,
    wasChanged: armed !== null && !unchanged,
    armingRefusal: arming.refusal,
    reason,
    setReason: (next: string) => {
      setReason(next);
      setReasonMissing(false);
    },
    isReasonMissing,
    /** @param only one request; null: all */
    arm: (next: TogetherChoice, act: Act, only: string | null = null) => {
      const atMs = arming.arm(act);
      if (atMs === null) return;
      const about = shown.filter(({ details }) => only === null || details.approval.id === only);
      const subjectIds = about.map(({ details }) => details.approval.id);
      decisions.forget(idOf(subjectIds));
      setSubject(subjectIds);
      setArmed({ choice: next, digests: computeDigests(about), atMs });
    },
    disarm: () => {
      setArmed(null);
      setSubject(null);
    },
    commit: (act: Act): boolean => {
      if (armed === null || choice === null || !canCommitNow(armed.atMs, act)) return true;
      if (needsReason(choice, false) && reason.trim() === "") {
        setReasonMissing(true);

        return false;
      }
      const { digests } = armed;
      const nowMs = Date.now();
      const viewings = new Map([...(choice === "approve" ? digests : [])].map(([of, digest]) => [of, seeing.getViewing(digest, nowMs)]));
      const parts = covered.map(({ details }) => ({ approvalId: details.approval.id, title: details.view.summary ?? details.view.prompt }));
      const [first] = parts;
      const [title, href] =
        parts.length === 1 && first
          ? [first.title, `/approvals/${first.approvalId}` as const]
          : [`${parts.length} approvals together`, "/approvals" as const];
      decisions.begin({ id, choice, title, href, reason, parts }, (approvalId, isTooLate) =>
        sendDecision(
          { trpc, client, queries },
          {
            approvalId,
            choice,
            viewDigest: digests.get(approvalId) ?? "",
            reason,
            findings: null,
            answers: null,
            viewing: viewings.get(approvalId) ?? null,
          },
          isTooLate,
        ),
      );
      setArmed(null);
      setReason("");

      return true;
    },
    waiting,
    isPending: waiting !== null && isUnderWay(waiting),
  };
};

export type Together = ReturnType<typeof useTogether>;
