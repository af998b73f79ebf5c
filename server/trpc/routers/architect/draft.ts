import { askArchitect } from "@/server/architect/ask";
import { wishSchema } from "@/server/architect/job";
import { createProcedure } from "@/server/trpc/init";
import { getWebVault } from "@/server/web/web-vault";

export const architectDraft = createProcedure("graph.edit")
  .input(wishSchema)
  .mutation(async ({ ctx, input }) => ({
    id: await askArchitect(getWebVault(), ctx.workspaceId, { userId: ctx.user.id, tokenId: null }, input),
  }));
