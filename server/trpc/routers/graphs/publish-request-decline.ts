import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { declineRequest } from "@/server/architect/publishing";
import { procedure } from "@/server/trpc/init";

export const publishRequestDecline = procedure("graph.publish")
  .input(z.strictObject({ request: uuidSchema, reason: z.string().trim().max(1_000) }))
  .mutation(async ({ ctx, input }) => {
    await declineRequest(ctx.workspaceId, ctx.user.id, input.request, input.reason);

    return { status: "declined" as const };
  });
