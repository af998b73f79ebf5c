import { z } from "zod";
import { AppError } from "@/lib/errors";
import { answerPlace, askPlace, consoleAnswerSchema, consoleAskSchema, type ConsoleAnswer } from "@/lib/mcp/console";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { systemClock } from "@/server/clock";
import { toPlainBody, sealEnvelope } from "@/server/store/runs/command-envelope";
import { getConsoleCall, insertConsoleCall, openConsoleCalls } from "@/server/store/mcp/console-calls";
import { createProcedure } from "@/server/trpc/init";
import { getWebVault } from "@/server/web/web-vault";

const MOST_OPEN = 8;

/** Requests a console call. @returns its id */
export const mcpConsole = createProcedure("mcp.manage", { fresh: true })
  .input(consoleAskSchema)
  .mutation(async ({ ctx, input }) => {
    if ((await openConsoleCalls(ctx.workspaceId, ctx.user.id)) >= MOST_OPEN) throw new AppError("rate_limited");
    const call = { id: systemClock.id(), userId: ctx.user.id, serverId: input.id, tool: input.tool };
    const sealed = sealEnvelope(getWebVault(), {
      workspaceId: ctx.workspaceId,
      place: askPlace(call.id),
      runId: getWorkspaceLedgerId(ctx.workspaceId),
      author: ctx.author,
      sentAt: systemClock.now(),
      body: toPlainBody(input),
    });
    await insertConsoleCall(ctx.workspaceId, call, sealed);

    return { call: call.id };
  });

/** Returns one's own call's answer; null while under way. */
export const mcpConsoleAnswer = createProcedure("mcp.manage")
  .input(z.strictObject({ call: z.uuid() }))
  .query(async ({ ctx, input }): Promise<{ readonly answer: ConsoleAnswer | null }> => {
    const row = await getConsoleCall(ctx.workspaceId, ctx.user.id, input.call);
    if (!row) throw new AppError("not_found");
    if (row.status !== "done" || !row.result) return { answer: null };
    try {
      return { answer: consoleAnswerSchema.parse(getWebVault().openCommand(ctx.workspaceId, answerPlace(input.call), row.result)) };
    } catch (cause) {
      throw new AppError("not_found", { cause });
    }
  });
