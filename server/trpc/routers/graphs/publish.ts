import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { createProcedure } from "@/server/trpc/init";
import { askToPublish } from "@/server/web/publishing";

/** Publishes the reviewed newest draft, if one person suffices. */
export const graphPublish = createProcedure("graph.publish")
  .input(z.strictObject({ id: uuidSchema, revision: z.number().int().min(1), hash: hexDigestSchema.optional() }))
  .mutation(({ ctx, input }) => askToPublish(ctx.workspaceId, ctx.author, input));
