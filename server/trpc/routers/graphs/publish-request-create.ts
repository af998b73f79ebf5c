import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { requestPublish } from "@/server/architect/publishing";
import { procedure } from "@/server/trpc/init";

/** Asks another builder for what one person may not publish alone. */
export const publishRequestCreate = procedure("graph.publish")
  .input(z.strictObject({ id: uuidSchema, revision: z.number().int().min(1), hash: hexDigestSchema }))
  .mutation(({ ctx, input }) => requestPublish(ctx.workspaceId, { userId: ctx.user.id, tokenId: null }, input));
