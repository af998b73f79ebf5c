import { z } from "zod";
import { graphSchema } from "@/lib/graph/document";
import { uuidSchema } from "@/lib/ids";
import { askArchitect } from "@/server/architect/ask";
import { wishSchema } from "@/server/architect/job";
import { procedure } from "@/server/trpc/init";
import { webVault } from "@/server/web/web-vault";

/** Requests a change of the graph as on screen. */
export const architectChange = procedure("graph.edit")
  .input(wishSchema.extend({ graphId: uuidSchema, revision: z.number().int().min(1), document: graphSchema }))
  .mutation(async ({ ctx, input }) => ({
    id: await askArchitect(webVault(), ctx.workspaceId, { userId: ctx.user.id, tokenId: null }, input),
  }));
