import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { publishAlone } from "@/server/architect/publishing";
import { procedure } from "@/server/trpc/init";

/** Freezes the newest draft, if it is still the one that was looked at, has no error, and needs nobody else's yes. */
export const graphPublish = procedure("graph.publish")
  .input(z.strictObject({ id: uuidSchema, revision: z.number().int().min(1), hash: hexDigestSchema.optional() }))
  .mutation(({ ctx, input }) => publishAlone(ctx.workspaceId, ctx.user.id, input));
