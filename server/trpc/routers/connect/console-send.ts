import { z } from "zod";
import { AppError } from "@/lib/errors";
import { isJsonObject, jsonSchema } from "@/lib/json";
import { callByHand } from "@/server/outside/console";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({
  tokenId: z.uuid(),
  graphId: z.uuid(),
  sessionId: z.uuid().nullable().default(null),
  tool: z.string().min(1).max(100),
  arguments: jsonSchema.refine(isJsonObject, "An object"),
});

export const connectConsoleSend = createProcedure("connect.manage")
  .input(input)
  .mutation(async ({ ctx, input: wanted, signal }) => {
    const messages = await callByHand({
      workspaceId: ctx.workspaceId,
      userId: ctx.user.id,
      session: ctx.session,
      role: ctx.role,
      tokenId: wanted.tokenId,
      graphId: wanted.graphId,
      sessionId: wanted.sessionId,
      tool: wanted.tool,
      args: isJsonObject(wanted.arguments) ? wanted.arguments : {},
      signal: signal ?? new AbortController().signal,
    });
    if (!messages) throw new AppError("not_found");

    return messages;
  });
