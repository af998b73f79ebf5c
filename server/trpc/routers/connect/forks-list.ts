import { listAgentForks } from "@/server/store/agents/sessions";
import { createProcedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";

export const connectForksList = createProcedure("connect.read").query(async ({ ctx }) => {
  const forks = await listAgentForks(ctx.workspaceId, ownOnly(ctx));

  return forks.map((fork) => ({
    runId: fork.runId,
    sessionId: fork.sessionId,
    tokenName: fork.tokenName,
    parentRun: fork.parentRun,
    forkSeq: fork.forkSeq,
    simulated: fork.simulated,
    status: fork.status,
    createdAt: fork.createdAt,
    retainUntil: fork.retainUntil,
    collectedAt: fork.collectedAt,
  }));
});
