import { listAgentForks } from "@/server/store/agents/sessions";
import { procedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";

/** Forks that outside agents made, newest first, and until when what they hold is kept. */
export const connectForksList = procedure("connect.read").query(async ({ ctx }) => {
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
