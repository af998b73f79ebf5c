import { computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { inboxFilterSchema } from "@/lib/engine/approvals/inbox";
import { computeApprovalChallenge } from "@/lib/engine/approvals/passkey";
import { isPersonal } from "@/lib/engine/principal";
import { AppError } from "@/lib/errors";
import type { HexDigest } from "@/lib/hash";
import { getDecisionProofMs } from "@/lib/people/fresh-proof";
import { demandGraph, findApproval } from "@/server/api/account";
import type { Handlers } from "@/server/api/endpoint";
import { ApiError, readCursor } from "@/server/api/problem";
import { systemClock } from "@/server/clock";
import { ownOrigin } from "@/server/own-origin";
import type { ApprovalRow } from "@/server/store/approvals/approvals";
import { inboxCursorSchema, listInboxPage } from "@/server/store/approvals/inbox";
import { listPasskeys } from "@/server/store/people/passkeys";
import { readApproval, type ApprovalReader } from "@/server/trpc/routers/approvals/get";
import { submitToApproval, toDecision } from "@/server/trpc/run-commands";
import { listSeatsOf } from "@/server/web/seats";

type Shown = { readonly transitionDigest: HexDigest; readonly viewDigest: HexDigest; readonly nonce: string };

const challengeOf = ({ workspaceId, id }: ApprovalReader, approval: ApprovalRow, { transitionDigest, viewDigest, nonce }: Shown): string =>
  Buffer.from(
    computeApprovalChallenge({
      v: 1,
      workspace: workspaceId,
      run: approval.runId,
      approval_id: approval.id,
      transition_digest: transitionDigest,
      view_digest: viewDigest,
      decision: "approve",
      nonce,
      user: id,
    }),
    "hex",
  ).toString("base64url");

/** A token proves no presence: only a passkey replaces the browser's proof. */
const toBrowser = (error: unknown, approvalId: string): unknown => {
  if (!(error instanceof AppError)) return error;
  const refusal = error.refusal === "passkey_required" ? ("passkey_required" as const) : null;
  if (error.code !== "step_up_required" && refusal === null) return error;
  const message = `This approval needs your passkey. Send its assertion, or decide at ${ownOrigin()}/approvals/${approvalId}`;

  return new ApiError(error.code, message, { status: 403, ...(refusal ? { refusal } : {}) });
};

export const APPROVALS: Handlers<"listApprovals" | "getApproval" | "commentOnApproval" | "decideApproval" | "rejectApproval"> = {
  listApprovals: async ({ account, query: { cursor, tab, graphId, risk } }) => {
    if (graphId !== undefined) await demandGraph(account, graphId);
    const nowMs = systemClock.now();
    const filter = inboxFilterSchema.parse({ tab, graph: graphId ?? null, risk: risk ?? null });
    const { workspaceId, token, reader } = account;
    const seats = isPersonal(token.scopes) ? await listSeatsOf(workspaceId, reader.id, nowMs) : [];
    const role = isPersonal(token.scopes) ? reader.role : null;
    const question = { workspaceId, filter, graphs: token.graphs, userId: reader.id, role, seats, nowMs, sinceMs: nowMs };
    const { rows, nextCursor } = await listInboxPage(question, readCursor(inboxCursorSchema, cursor));

    return { items: rows, nextCursor };
  },

  getApproval: async ({ account, params: { approvalId } }) => {
    await findApproval(account, approvalId);
    const { reader, token } = account;
    const { approval, run, gate, view, comments, decisions, people, canDecide, passkey } = await readApproval(reader, approvalId);
    const isOwn = isPersonal(token.scopes);
    const viewDigest = computeViewDigest(view);

    return {
      ...approval,
      graphId: run.graphId,
      quorum: gate.quorum,
      isStale: gate.isStale,
      view,
      viewDigest,
      transitionDigest: view.transition_digest,
      nonce: gate.nonce,
      canDecide: isOwn && canDecide.ok,
      whyNot: isOwn && !canDecide.ok ? canDecide.reason : null,
      passkey: isOwn
        ? {
            isRequired: passkey.required || getDecisionProofMs({ decision: "approve" }, approval.authority) !== null,
            challenge: challengeOf(reader, approval, { transitionDigest: view.transition_digest, viewDigest, nonce: gate.nonce }),
            credentials: (await listPasskeys(reader.workspaceId, reader.id))
              .filter(({ revokedAt }) => revokedAt === null)
              .map(({ credentialId: id, rpId }) => ({ id, rpId })),
          }
        : null,
      comments,
      decisions,
      names: people,
    };
  },

  commentOnApproval: async ({ account, params: { approvalId }, body: { text }, command }) => {
    await findApproval(account, approvalId);
    const { workspaceId, author } = account;

    return submitToApproval({ workspaceId, author, command }, { kind: "comment", approval_id: approvalId, text });
  },

  decideApproval: async ({ account, params: { approvalId }, body, command }) => {
    await findApproval(account, approvalId);
    const { workspaceId, author } = account;

    return submitToApproval({ workspaceId, author, command }, toDecision({ approvalId, ...body })).catch((error: unknown) => {
      throw toBrowser(error, approvalId);
    });
  },

  rejectApproval: async ({ account, params: { approvalId }, body, command }) => {
    await findApproval(account, approvalId);
    const { workspaceId, author } = account;

    return submitToApproval({ workspaceId, author, command }, toDecision({ approvalId, decision: "reject", ...body }));
  },
};
