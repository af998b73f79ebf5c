/** Sends a decision about exactly the armed view. */
import type { QueryClient } from "@tanstack/react-query";
import type { Assertion } from "@/lib/engine/approvals/assertion";
import type { Finding } from "@/lib/engine/approvals/case";
import type { InputAnswers } from "@/lib/engine/approvals/tool-input";
import type { Viewing } from "@/lib/engine/approvals/viewing";
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { toApiError } from "@/components/trpc/api-error";
import type { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { sealView } from "@/components/approvals/sealed-view";
import type { ApprovalDetails } from "@/components/approvals/types";
import { NOT_SENT, SEND_MS, type Choice, type Outcome } from "./waiting-decision";

export type Api = {
  readonly trpc: ReturnType<typeof useTRPC>;
  readonly client: ReturnType<typeof useTRPCClient>;
  readonly queries: QueryClient;
};

export type Asked = {
  readonly approvalId: string;
  readonly choice: Choice;
  readonly viewDigest: string;
  readonly reason: string;
  /** Null: not a review case. */
  readonly findings: readonly Finding[] | null;
  /** Null: not a tool's question. */
  readonly answers: InputAnswers | null;
  /** Values seen; null unless approving, and for review cases. */
  readonly viewing: Viewing | null;
  /** Set if a passkey is required. */
  readonly assertion?: Assertion | undefined;
};

const refused = (code: RefusalCode, message: string = REFUSALS[code].message): Outcome => ({ ok: false, code, message, requestId: null });

const objection = (details: ApprovalDetails, asked: Asked): Outcome | null => {
  const sealed = sealView(details.view, details.transition);
  if (sealed.viewDigest !== asked.viewDigest) {
    return refused("view_mismatch", "The request changed after you chose. Nothing was sent. Review it and decide again.");
  }
  if (!sealed.isBound) return refused("transition_mismatch");

  return details.canDecide.ok ? null : refused(details.canDecide.code, details.canDecide.reason);
};

const bodyOf = (details: ApprovalDetails, { approvalId, choice, viewDigest, reason, findings, answers, viewing, assertion }: Asked) => ({
  approvalId,
  transitionDigest: details.view.transition_digest,
  viewDigest,
  decision: choice,
  nonce: details.gate.nonce,
  ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  ...(findings ? { findings: [...findings] } : {}),
  ...(answers ? { answers } : {}),
  ...(viewing ? { viewing } : {}),
  ...(assertion ? { assertion } : {}),
});

/** Longer than the server waits for the ledger. */
const ANSWER_MS = 20_000;

const UNANSWERED = "The server didn't respond. Reload the request to see whether your decision was recorded.";

const decide = async ({ client }: Api, details: ApprovalDetails, asked: Asked): Promise<Outcome> => {
  try {
    const { seq } = await client.approvals.decide.mutate(bodyOf(details, asked), { signal: AbortSignal.timeout(ANSWER_MS) });

    return { ok: true, seq };
  } catch (error) {
    const { code, refusal, message, requestId } = toApiError(error);

    return { ok: false, code: refusal ?? code, message: requestId === null ? UNANSWERED : message, requestId };
  }
};

/** Refetches the request past the query cache and decides if the view is unchanged; never throws. */
export const sendDecision = async (api: Api, asked: Asked, isTooLate: () => boolean): Promise<Outcome> => {
  const { trpc, client, queries } = api;
  try {
    const details = await client.approvals.get.query({ approvalId: asked.approvalId }, { signal: AbortSignal.timeout(SEND_MS) });

    return objection(details, asked) ?? (isTooLate() ? NOT_SENT : await decide(api, details, asked));
  } catch (error) {
    const { code, refusal, message, requestId } = toApiError(error);

    return requestId === null ? NOT_SENT : { ok: false, code: refusal ?? code, message, requestId };
  } finally {
    void queries.invalidateQueries(trpc.approvals.pathFilter());
    void queries.invalidateQueries(trpc.runs.pathFilter());
  }
};
