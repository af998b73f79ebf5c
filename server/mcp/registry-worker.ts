import type { Principal } from "@/lib/engine/principal";
import { ERRORS } from "@/lib/errors";
import type { Json } from "@/lib/json";
import type { RegistryOutcome } from "@/lib/mcp/registry-command";
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { systemClock, type Clock } from "@/server/clock";
import type { PendingCommand } from "@/server/store/runs/commands";
import { answerRegistryCommand, openRegistryTurn, listPendingRegistryCommands } from "@/server/store/mcp/registry-commands";
import { workInTurn } from "@/server/turn-loop";
import { applyRegistryCommand } from "./registry";
import type { McpService } from "./service";

/** Refused when row and sealed body disagree. */
export type ReadAsked = (command: PendingCommand) => Promise<AskedByUser | RefusalCode>;
export type AskedByUser = { readonly by: Extract<Principal, { type: "user" }>; readonly body: Json };

const outcomeOf = async (mcp: McpService, readAsked: ReadAsked, command: PendingCommand): Promise<RegistryOutcome> => {
  const asked = await readAsked(command);
  // The browser retries with proof.
  if (asked === "step_up_required") return { ok: false, code: asked, message: ERRORS[asked].message };
  if (typeof asked === "string") return { ok: false, code: "refused", message: REFUSALS[asked].message };

  return applyRegistryCommand(mcp, command.workspaceId, asked.by, asked.body, command.id);
};

const workThrough = async (mcp: McpService, readAsked: ReadAsked, clock: Clock, signal: AbortSignal): Promise<void> => {
  for (const command of await listPendingRegistryCommands()) {
    if (signal.aborted) return;
    await answerRegistryCommand(command.workspaceId, command.id, await outcomeOf(mcp, readAsked, command), clock.now());
  }
};

/** Works until `signal` aborts. Repetitions no longer match the revision. */
export const workRegistryCommands = (
  mcp: McpService,
  readAsked: ReadAsked,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> =>
  workInTurn(
    {
      open: openRegistryTurn,
      look: () => workThrough(mcp, readAsked, clock, signal),
      complaint: "registry commands are not read for a moment",
    },
    signal,
  );
