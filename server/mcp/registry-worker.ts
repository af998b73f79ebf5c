/** The runner's loop over registry commands: one at a time, in order, in one runner. */
import type { Principal } from "@/lib/engine/principal";
import type { Json } from "@/lib/json";
import type { RegistryOutcome } from "@/lib/mcp/registry-command";
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { createBell } from "@/server/bell";
import { systemClock, type Clock } from "@/server/clock";
import { log } from "@/server/log";
import type { PendingCommand } from "@/server/store/commands";
import { answerRegistryCommand, openRegistryTurn, pendingRegistryCommands } from "@/server/store/registry-commands";
import { applyRegistryCommand } from "./registry";
import type { McpService } from "./service";

const POLL_MS = 2_000;

/** Who sends a command, and what is asked, when row and sealed body agree; otherwise why it counts for nothing. */
export type ReadAsked = (command: PendingCommand) => Promise<AskedByUser | RefusalCode>;
export type AskedByUser = { readonly by: Extract<Principal, { type: "user" }>; readonly body: Json };

const outcomeOf = async (mcp: McpService, readAsked: ReadAsked, command: PendingCommand): Promise<RegistryOutcome> => {
  const asked = await readAsked(command);
  if (typeof asked === "string") return { ok: false, code: "refused", message: REFUSALS[asked].message };

  return applyRegistryCommand(mcp, command.workspaceId, asked.by, asked.body, command.id);
};

const workThrough = async (mcp: McpService, readAsked: ReadAsked, clock: Clock, signal: AbortSignal): Promise<void> => {
  for (const command of await pendingRegistryCommands()) {
    if (signal.aborted) return;
    await answerRegistryCommand(command.workspaceId, command.id, await outcomeOf(mcp, readAsked, command), clock.now());
  }
};

/** Works until `signal` aborts. A crash between doing and answering repeats the command, whose revision then no longer fits. */
export const workRegistryCommands = async (
  mcp: McpService,
  readAsked: ReadAsked,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> => {
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
          if (await turn.take()) await workThrough(mcp, readAsked, clock, signal);
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
