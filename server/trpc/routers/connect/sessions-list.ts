import { systemClock } from "@/server/clock";
import { listAgentSessions } from "@/server/store/agents/sessions";
import { createProcedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";

export const connectSessionsList = createProcedure("connect.read").query(async ({ ctx }) => {
  const sessions = await listAgentSessions(ctx.workspaceId, ownOnly(ctx));
  const now = systemClock.now();

  return sessions.map((session) => ({
    id: session.id,
    tokenId: session.tokenId,
    tokenName: session.tokenName,
    owner: session.ownerId,
    graphId: session.graphId,
    graphName: session.graphName,
    runs: session.runs.map(({ ordinal, runId, cause, at }) => ({ ordinal, runId, cause, at })),
    /** Null before the first step. */
    runStatus: session.runStatus,
    createdAt: session.createdAt,
    lastUsedAt: session.lastUsedAt,
    expiresAt: session.expiresAt,
    revokedAt: session.revokedAt,
    status: session.revokedAt !== null ? ("revoked" as const) : session.expiresAt <= now ? ("expired" as const) : ("active" as const),
  }));
});
