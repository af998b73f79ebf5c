/** The runner's loop over registry commands: one at a time, in order, in one runner. */
import { createBell } from "@/server/bell";
import { systemClock, type Clock } from "@/server/clock";
import { log } from "@/server/log";
import { answerRegistryCommand, openRegistryTurn, pendingRegistryCommands } from "@/server/store/registry-commands";
import { applyRegistryCommand } from "./registry";
import type { McpService } from "./service";

const POLL_MS = 2_000;

const workThrough = async (mcp: McpService, clock: Clock, signal: AbortSignal): Promise<void> => {
  for (const command of await pendingRegistryCommands()) {
    if (signal.aborted) return;
    const outcome = await applyRegistryCommand(mcp, command.workspaceId, command.userId, command.body, command.id);
    await answerRegistryCommand(command.workspaceId, command.id, outcome, clock.now());
  }
};

/** Works until `signal` aborts. A crash between doing and answering repeats the command, whose revision then no longer fits. */
export const workRegistryCommands = async (mcp: McpService, signal: AbortSignal, clock: Clock = systemClock): Promise<void> => {
  const bell = createBell(signal);
  while (!signal.aborted) {
    const line = { lost: false };
    try {
      const turn = await openRegistryTurn(bell.ring, () => {
        line.lost = true;
        bell.ring();
      });
      try {
        while (!signal.aborted && !line.lost) {
          if (await turn.take()) await workThrough(mcp, clock, signal);
          await bell.wait(POLL_MS);
        }
      } finally {
        turn.close();
      }
    } catch (error) {
      log().warn({ error: error instanceof Error ? error.name : "unknown" }, "registry commands are not read for a moment");
      await bell.wait(POLL_MS);
    }
  }
};
