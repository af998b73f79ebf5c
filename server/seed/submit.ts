import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import type { SubmitRegistryCommand } from "@/server/seed/demo-servers";
import { findRegistryOutcome } from "@/server/store/mcp/registry-commands";
import { sendRegistryCommand } from "@/server/web/registry-command";

const POLL_MS = 100;
// An inspection starts a sandboxed process, which takes long on a busy machine.
const ANSWER_MS = 60_000;

/** Sends commands as the demo's admin. @throws AppError("runner_silent") */
export const submitAs =
  (workspaceId: string, adminId: string): SubmitRegistryCommand =>
  async (command) => {
    const id = systemClock.id();
    await sendRegistryCommand(workspaceId, id, { type: "user", id: adminId, session: null }, command);
    const untilMs = systemClock.now() + ANSWER_MS;
    while (systemClock.now() < untilMs) {
      const outcome = await findRegistryOutcome(workspaceId, id);
      if (outcome) return outcome;
      await delay(POLL_MS);
    }
    throw new AppError("runner_silent");
  };
