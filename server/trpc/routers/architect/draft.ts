import { askArchitect } from "@/server/architect/ask";
import { wishSchema } from "@/server/architect/job";
import { procedure } from "@/server/trpc/init";
import { webVault } from "@/server/web/web-vault";

/** Requests a new graph, as a draft. */
export const architectDraft = procedure("graph.edit")
  .input(wishSchema)
  .mutation(async ({ ctx, input }) => ({
    id: await askArchitect(webVault(), ctx.workspaceId, { userId: ctx.user.id, tokenId: null }, input),
  }));
