/** Sends one decision about exactly what was on screen when it was armed. Plain and outside React: the page may be gone by now. */
import type { QueryClient } from "@tanstack/react-query";
import type { Assertion } from "@/lib/engine/assertion";
import type { Finding } from "@/lib/engine/case";
import type { InputAnswers } from "@/lib/engine/tool-input";
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { apiError } from "@/components/trpc/api-error";
import type { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { sealView } from "@/components/approvals/sealed-view";
import type { ApprovalDetails } from "@/components/approvals/types";
import type { Choice, Outcome } from "./waiting-decision";

export type Api = {
  readonly trpc: ReturnType<typeof useTRPC>;
  readonly client: ReturnType<typeof useTRPCClient>;
  readonly queries: QueryClient;
};

export type Asked = {
  readonly approvalId: string;
  readonly choice: Choice;
  /** Of the view that was on screen. */
  readonly viewDigest: string;
  readonly reason: string;
  /** Null: it is no case. */
  readonly findings: readonly Finding[] | null;
  /** What was entered for a tool that asks; null: none does. */
  readonly answers: InputAnswers | null;
  /** What a passkey signed, where one had to. */
  readonly assertion?: Assertion | undefined;
};

const refused = (code: RefusalCode, message: string = REFUSALS[code].message): Outcome => ({ ok: false, code, message, requestId: null });

/** Why nothing is sent about what stands there now, if so. */
const objection = (details: ApprovalDetails, asked: Asked): Outcome | null => {
  const sealed = sealView(details.view, details.transition);
  if (sealed.viewDigest !== asked.viewDigest) {
    return refused("view_mismatch", "What was shown has changed since it was armed. Nothing was sent; look again and decide anew.");
  }
  if (!sealed.isBound) return refused("transition_mismatch");

  return details.can_decide.ok ? null : refused(details.can_decide.code, details.can_decide.reason);
};

/** The decision's words as the server takes them. */
const bodyOf = (details: ApprovalDetails, { approvalId, choice, viewDigest, reason, findings, answers, assertion }: Asked) => ({
  approval_id: approvalId,
  transition_digest: details.view.transition_digest,
  view_digest: viewDigest,
  decision: choice,
  nonce: details.gate.nonce,
  ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  ...(findings ? { findings: [...findings] } : {}),
  ...(answers ? { answers } : {}),
  ...(assertion ? { assertion } : {}),
});

/** @returns what came of it; it never throws */
export const sendDecision = async ({ trpc, client, queries }: Api, asked: Asked): Promise<Outcome> => {
  try {
    const question = trpc.approvals.get.queryOptions({ approval_id: asked.approvalId });
    const details = await queries.fetchQuery({ ...question, staleTime: 0 });
    const against = objection(details, asked);
    if (against) return against;
    const { seq } = await client.approvals.decide.mutate(bodyOf(details, asked));

    return { ok: true, seq };
  } catch (error) {
    const { code, refusal, message, requestId } = apiError(error);

    return { ok: false, code: refusal ?? code, message, requestId };
  } finally {
    void queries.invalidateQueries(trpc.approvals.pathFilter());
    void queries.invalidateQueries(trpc.runs.pathFilter());
  }
};
