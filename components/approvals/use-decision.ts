"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import type { Finding } from "@/lib/engine/case";
import type { SealedView } from "./sealed-view";
import type { ApprovalDetails } from "./types";

export type Choice = "approve" | "reject" | "abstain";

/** Arming and committing a decision. What is armed is bound to the view on screen: another view disarms it. */
export const useDecision = (details: ApprovalDetails, sealed: SealedView) => {
  const isCase = details.approval.reason === "review";
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [armed, setArmed] = useState<{ readonly choice: Choice; readonly view: string } | null>(null);
  const [reason, setReason] = useState("");
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const commit = useMutation(
    trpc.approvals.decide.mutationOptions({
      onSettled: async () => {
        setArmed(null);
        await Promise.all([queries.invalidateQueries(trpc.approvals.pathFilter()), queries.invalidateQueries(trpc.runs.pathFilter())]);
      },
    }),
  );
  const choice = armed?.view === sealed.viewDigest && details.can_decide.ok ? armed.choice : null;
  const given = reason.trim();

  return {
    choice,
    /** Whether this is a verdict of a reviewer of a case, counted with others' and judged afterwards. */
    isCase,
    findings,
    setFindings,
    reason,
    setReason,
    arm: (next: Choice) => {
      commit.reset();
      setArmed({ choice: next, view: sealed.viewDigest });
    },
    disarm: () => setArmed(null),
    commit: () => {
      if (choice === null || commit.isPending) return;
      commit.mutate({
        approval_id: details.approval.id,
        transition_digest: details.view.transition_digest,
        view_digest: sealed.viewDigest,
        decision: choice,
        nonce: details.gate.nonce,
        ...(given ? { reason: given } : {}),
        ...(isCase ? { findings: [...findings] } : {}),
      });
    },
    isPending: commit.isPending,
    error: commit.error,
    /** The record that the decision became. */
    seq: commit.data?.seq ?? null,
  };
};

export type Decision = ReturnType<typeof useDecision>;
