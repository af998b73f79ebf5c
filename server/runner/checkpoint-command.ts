import type { Principal } from "@/lib/engine/principal";
import { isAllowed } from "@/lib/roles";
import { answerRefused } from "@/server/runner/answers";
import { LogBroken, takeCheckpoint } from "@/server/runner/checkpoint";
import type { RunnerDeps } from "@/server/runner/deps";
import type { OpenedCommand } from "@/server/runner/open-command";
import { answerCommand } from "@/server/store/runs/commands";

/** Takes a checkpoint now. */
export const carryOutCheckpoint = async (deps: RunnerDeps, command: OpenedCommand, principal: Principal): Promise<void> => {
  if (principal.type !== "user") return answerRefused(deps, command, "not_found");
  if (!isAllowed(principal.role, "ledger.checkpoint")) return answerRefused(deps, command, "role_missing");
  const signed = await takeCheckpoint(deps, command.workspaceId).catch((error: unknown) => {
    if (error instanceof LogBroken) return null;
    throw error;
  });
  if (signed === null) return answerRefused(deps, command, "run_frozen");
  await answerCommand(command.workspaceId, command.id, "accepted", { seq: signed.checkpoint.count, refusal: null }, deps.clock.now());
  deps.notify(command.runId);
};
