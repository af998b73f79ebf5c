import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { approveRequest } from "@/server/architect/publishing";
import { procedure } from "@/server/trpc/init";

/** The second person's yes, to exactly the content they looked at. It publishes. */
export const publishRequestApprove = procedure("graph.publish")
  .input(z.strictObject({ request: uuidSchema, hash: hexDigestSchema }))
  .mutation(({ ctx, input }) => approveRequest(ctx.workspaceId, ctx.user.id, input.request, input.hash));
