import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { may } from "@/lib/roles";
import { listPublishRequests } from "@/server/store/graphs/publish-requests";
import { procedure } from "@/server/trpc/init";

/** What waits, or waited, for a second person; of one graph, or what is open in all of them. */
export const publishRequestList = procedure("graph.read")
  .input(z.strictObject({ graph: uuidSchema.nullable() }))
  .query(async ({ ctx, input }) => {
    const rows = await listPublishRequests(ctx.workspaceId, input.graph);

    return rows.map(({ involved, ...row }) => {
      const tookPart = involved.includes(ctx.user.id);

      return {
        ...row,
        /** Why this person cannot say yes though they may publish, or null. */
        cannotApprove: tookPart ? "You took part in this draft, so someone else must decide" : null,
        /** Whether it waits for this person, among others. */
        answerable: row.status === "open" && !tookPart && may(ctx.role, "graph.publish"),
      };
    });
  });
