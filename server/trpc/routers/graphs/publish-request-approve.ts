import { z } from "zod";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { createProcedure } from "@/server/trpc/init";
import { askToApprove } from "@/server/web/publishing";

/** Publishes exactly the reviewed content. */
export const publishRequestApprove = createProcedure("graph.publish")
  .input(z.strictObject({ request: uuidSchema, hash: hexDigestSchema, assertion: assertionSchema.exactOptional() }))
  .mutation(({ ctx, input }) => askToApprove(ctx.workspaceId, ctx.author, input.request, input.hash, input.assertion));
