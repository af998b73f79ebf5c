import { inboxFilterSchema } from "@/lib/engine/approvals/inbox";
import { computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { demandGraph, findApproval } from "@/server/api/account";
import type { Handlers } from "@/server/api/endpoint";
import { readCursor } from "@/server/api/problem";
import { systemClock } from "@/server/clock";
import { inboxCursorSchema, listInboxPage } from "@/server/store/approvals/inbox";
import { readApproval } from "@/server/trpc/routers/approvals/get";
import { submitToApproval } from "@/server/trpc/run-commands";

export const APPROVALS: Handlers<"listApprovals" | "getApproval" | "commentOnApproval" | "rejectApproval"> = {
  listApprovals: async ({ account, query: { cursor, tab, graphId, risk } }) => {
    if (graphId !== undefined) await demandGraph(account, graphId);
    const nowMs = systemClock.now();
    const filter = inboxFilterSchema.parse({ tab, graph: graphId ?? null, risk: risk ?? null });
    const { graphs } = account.token;
    const question = {
      workspaceId: account.workspaceId,
      filter,
      graphs,
      userId: account.token.id,
      role: null,
      seats: [],
      nowMs,
      sinceMs: nowMs,
    };
    const { rows, nextCursor } = await listInboxPage(question, readCursor(inboxCursorSchema, cursor));

    return { items: rows, nextCursor };
  },

  getApproval: async ({ account, params: { approvalId } }) => {
    await findApproval(account, approvalId);
    const reader = { workspaceId: account.workspaceId, id: account.token.id, role: "viewer", auditor: false } as const;
    const { approval, run, gate, view, comments, decisions, people } = await readApproval(reader, approvalId);

    return {
      ...approval,
      graphId: run.graphId,
      quorum: gate.quorum,
      isStale: gate.isStale,
      view,
      viewDigest: computeViewDigest(view),
      transitionDigest: view.transition_digest,
      nonce: gate.nonce,
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

  rejectApproval: async ({ account, params: { approvalId }, body, command }) => {
    await findApproval(account, approvalId);
    const { workspaceId, author } = account;
    const { transitionDigest, viewDigest, nonce, reason } = body;

    return submitToApproval(
      { workspaceId, author, command },
      {
        kind: "decision",
        approval_id: approvalId,
        transition_digest: transitionDigest,
        view_digest: viewDigest,
        decision: "reject",
        nonce,
        reason,
      },
    );
  },
};
