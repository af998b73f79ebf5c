import { listAgentForks } from "@/server/store/agents/sessions";
import { createProcedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";

export const connectForksList = createProcedure("connect.read").query(async ({ ctx }) => {
  const forks = await listAgentForks(ctx.workspaceId, ownOnly(ctx));

  return forks.map((fork) => ({
    run_id: fork.runId,
    session_id: fork.sessionId,
    token_name: fork.tokenName,
    parent_run: fork.parentRun,
    fork_seq: fork.forkSeq,
    simulated: fork.simulated,
    status: fork.status,
    created_at: fork.createdAt,
    retain_until: fork.retainUntil,
    collected_at: fork.collectedAt,
  }));
});
