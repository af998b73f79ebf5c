/** A command to a workspace itself: to take a checkpoint now, and not only when the minute is over. */
import { checkpointCommandSchema, type CheckpointCommand } from "@/lib/engine/checkpoint";
import { may } from "@/lib/roles";
import { answerRefused } from "@/server/runner/answers";
import { LogBroken, takeCheckpoint } from "@/server/runner/checkpoint";
import type { RunnerDeps } from "@/server/runner/deps";
import { answerCommand, attemptPrincipal, type PendingCommand } from "@/server/store/commands";

/** What a command to a workspace itself asks for, or null when it is something else. */
export const checkpointCommandOf = (deps: RunnerDeps, { workspaceId, id, body }: PendingCommand): CheckpointCommand | null => {
  try {
    return checkpointCommandSchema.safeParse(deps.vault.openCommand(workspaceId, id, body)).data ?? null;
  } catch {
    return null;
  }
};

/** Answers with how many records are counted. A log that is not what its newest checkpoint says is signed by nobody. */
export const carryOutCheckpoint = async (deps: RunnerDeps, command: PendingCommand): Promise<void> => {
  const principal = await attemptPrincipal(command);
  if (principal?.type !== "user") return answerRefused(deps, command, "not_found");
  if (!may(principal.role, "ledger.checkpoint")) return answerRefused(deps, command, "role_missing");
  const signed = await takeCheckpoint(deps, command.workspaceId).catch((error: unknown) => {
    if (error instanceof LogBroken) return null;
    throw error;
  });
  if (signed === null) return answerRefused(deps, command, "run_frozen");
  await answerCommand(command.workspaceId, command.id, "accepted", { seq: signed.checkpoint.count, refusal: null }, deps.clock.now());
  deps.notify(command.runId);
};
