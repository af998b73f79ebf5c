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

/** Arms and commits one decision per request, bound to all views. */
export const useTogether = (ids: readonly string[], shown: readonly Shown[], seeing: SeeingState, blocked: string | null) => {
  const id = `together:${ids.toSorted().join(",")}`;
  const [trpc, client, queries] = [useTRPC(), useTRPCClient(), useQueryClient()];
  const waiting = useShownDecision(id);
  const arming = useArming(id);
  const [armed, setArmed] = useState<Armed | null>(null);
  const [reason, setReason] = useState("");
  const [isReasonMissing, setReasonMissing] = useState(false);
  const unchanged = armed !== null && isSame(armed.digests, computeDigests(shown));
  const choice = unchanged && blocked === null ? armed.choice : null;

  return {
    choice,
    wasChanged: armed !== null && !unchanged,
    armingRefusal: arming.refusal,
    reason,
    setReason: (next: string) => {
      setReason(next);
      setReasonMissing(false);
    },
    isReasonMissing,
    arm: (next: TogetherChoice, act: Act) => {
      const atMs = arming.arm(act);
      if (atMs === null) return;
      decisions.forget(id);
      setArmed({ choice: next, digests: computeDigests(shown), atMs });
    },
    disarm: () => setArmed(null),
    commit: (act: Act): boolean => {
      if (armed === null || choice === null || !canCommitNow(armed.atMs, act)) return true;
      if (needsReason(choice, false) && reason.trim() === "") {
        setReasonMissing(true);

        return false;
      }
      const { digests } = armed;
      const nowMs = Date.now();
      const viewings = new Map([...(choice === "approve" ? digests : [])].map(([of, digest]) => [of, seeing.getViewing(digest, nowMs)]));
      const parts = shown.map(({ details }) => ({ approvalId: details.approval.id, title: details.view.prompt }));
      decisions.begin(
        { id, choice, title: `${parts.length} approvals together`, href: "/approvals", reason, parts },
        (approvalId, isTooLate) =>
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

      return true;
    },
    waiting,
    isPending: waiting !== null && isUnderWay(waiting),
  };
};
