import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { listPublishRequests } from "@/server/store/publish-requests";
import { procedure } from "@/server/trpc/init";

/** What waits, or waited, for a second person; of one graph, or what is open in all of them. */
export const publishRequestList = procedure("graph.read")
  .input(z.strictObject({ graph: uuidSchema.nullable() }))
  .query(async ({ ctx, input }) => {
    const rows = await listPublishRequests(ctx.workspaceId, input.graph);

    return rows.map(({ involved, ...row }) => ({
      ...row,
      /** Why this person cannot say yes, or null. */
      cannotApprove: involved.includes(ctx.user.id) ? "You took part in this draft, so somebody else decides" : null,
    }));
  });
