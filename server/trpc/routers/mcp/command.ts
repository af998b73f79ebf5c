import { setTimeout as delay } from "node:timers/promises";
import { AppError, ERRORS, type ErrorCode } from "@/lib/errors";
import { registryCommandSchema, takesProof } from "@/lib/mcp/registry-command";
import { systemClock } from "@/server/clock";
import { findRegistryOutcome } from "@/server/store/mcp/registry-commands";
import { createProcedure } from "@/server/trpc/init";
import { sendRegistryCommand } from "@/server/web/registry-command";

const POLL_MS = 150;
const WAIT_MS = 20_000;

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** Sent to the runner: the web can neither start servers nor write the registry. */
export const mcpCommand = createProcedure("mcp.manage", { fresh: "sometimes" })
  .input(registryCommandSchema)
  .mutation(async ({ ctx, input }) => {
    if (takesProof(input)) ctx.demandFresh();
    const id = systemClock.id();
    await sendRegistryCommand(ctx.workspaceId, id, ctx.author, input);

    const until = systemClock.now() + WAIT_MS;
    while (systemClock.now() < until) {
      await delay(POLL_MS);
      const outcome = await findRegistryOutcome(ctx.workspaceId, id);
      if (outcome?.ok === true) return { id: input.id, revision: outcome.revision };
      if (outcome) throw new AppError(isErrorCode(outcome.code) ? outcome.code : "internal", { message: outcome.message });
    }
    throw new AppError("runner_silent");
  });
