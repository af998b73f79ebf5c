import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { acceptJob, ownJob } from "@/server/architect/ask";
import { procedure } from "@/server/trpc/init";
import { webVault } from "@/server/web/web-vault";

/** Takes what was drawn as a draft; publishing it is another question. */
export const architectAccept = procedure("graph.edit")
  .input(z.strictObject({ id: uuidSchema }))
  .mutation(async ({ ctx, input }) => acceptJob(webVault(), ctx.workspaceId, await ownJob(ctx.workspaceId, ctx.user.id, input.id)));
