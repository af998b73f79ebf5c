import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { isAllowed } from "@/lib/roles";
import { listPublishRequests } from "@/server/store/graphs/publish-requests";
import { createProcedure } from "@/server/trpc/init";

export const publishRequestList = createProcedure("graph.read")
  .input(z.strictObject({ graph: uuidSchema.nullable() }))
  .query(async ({ ctx, input }) => {
    const rows = await listPublishRequests(ctx.workspaceId, input.graph);

    return rows.map(({ involved, ...row }) => {
      const tookPart = involved.includes(ctx.user.id);

      return {
        ...row,
        cannotApprove: tookPart ? "You took part in this draft, so someone else must decide" : null,
        answerable: row.status === "open" && !tookPart && isAllowed(ctx.role, "graph.publish"),
      };
    });
  });
