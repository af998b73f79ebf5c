/** What a command says, and the answer to one that becomes no record. */
import { refuse, type RefusalCode } from "@/lib/refusal";
import { commandBodySchema, type CommandBody } from "@/lib/engine/proposal";
import type { RunnerDeps } from "@/server/runner/deps";
import { answerCommand, type PendingCommand } from "@/server/store/commands";

export const answerRefused = (deps: RunnerDeps, command: PendingCommand, code: RefusalCode) =>
  answerCommand(command.workspaceId, command.id, "refused", { seq: -1, refusal: refuse(code) }, deps.clock.now());

/** What a command says, or null when it is not one or was tampered with. */
export const openCommandBody = (deps: RunnerDeps, command: PendingCommand): CommandBody | null => {
  try {
    return commandBodySchema.safeParse(deps.vault.openCommand(command.workspaceId, command.id, command.body)).data ?? null;
  } catch {
    return null;
  }
};
