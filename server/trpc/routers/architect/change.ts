import { z } from "zod";
import { graphSchema } from "@/lib/graph/document";
import { uuidSchema } from "@/lib/ids";
import { askArchitect } from "@/server/architect/ask";
import { wishSchema } from "@/server/architect/job";
import { createProcedure } from "@/server/trpc/init";
import { getWebVault } from "@/server/web/web-vault";

export const architectChange = createProcedure("graph.edit")
  .input(wishSchema.extend({ graphId: uuidSchema, revision: z.number().int().min(1), document: graphSchema }))
  .mutation(async ({ ctx, input }) => ({
    id: await askArchitect(getWebVault(), ctx.workspaceId, { userId: ctx.user.id, tokenId: null }, input),
  }));
