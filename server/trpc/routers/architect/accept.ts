import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { acceptJob, ownJob } from "@/server/architect/ask";
import { createProcedure } from "@/server/trpc/init";
import { getWebVault } from "@/server/web/web-vault";

export const architectAccept = createProcedure("graph.edit")
  .input(z.strictObject({ id: uuidSchema }))
  .mutation(async ({ ctx, input }) => acceptJob(getWebVault(), ctx.workspaceId, await ownJob(ctx.workspaceId, ctx.user.id, input.id)));
