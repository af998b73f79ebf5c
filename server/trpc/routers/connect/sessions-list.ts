import { systemClock } from "@/server/clock";
import { listAgentSessions } from "@/server/store/agents/sessions";
import { createProcedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";

export const connectSessionsList = createProcedure("connect.read").query(async ({ ctx }) => {
  const sessions = await listAgentSessions(ctx.workspaceId, ownOnly(ctx));
  const now = systemClock.now();

  return sessions.map((session) => ({
    id: session.id,
    token_id: session.tokenId,
    token_name: session.tokenName,
    owner: session.ownerId,
    graph_id: session.graphId,
    graph_name: session.graphName,
    runs: session.runs.map(({ ordinal, runId, cause, at }) => ({ ordinal, run_id: runId, cause, at })),
    /** Null before the first step. */
    run_status: session.runStatus,
    created_at: session.createdAt,
    last_used_at: session.lastUsedAt,
    expires_at: session.expiresAt,
    revoked_at: session.revokedAt,
    status: session.revokedAt !== null ? ("revoked" as const) : session.expiresAt <= now ? ("expired" as const) : ("active" as const),
  }));
});
