import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { createProcedure } from "@/server/trpc/init";
import { askToDecline } from "@/server/web/publishing";

export const publishRequestDecline = createProcedure("graph.publish")
  .input(z.strictObject({ request: uuidSchema, reason: z.string().trim().max(1_000) }))
  .mutation(async ({ ctx, input }) => {
    await askToDecline(ctx.workspaceId, ctx.author, input.request, input.reason);

    return { status: "declined" as const };
  });
