import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { ownJob, toJobView } from "@/server/architect/ask";
import { createProcedure } from "@/server/trpc/init";
import { getWebVault } from "@/server/web/web-vault";

export const architectJob = createProcedure("graph.edit")
  .input(z.strictObject({ id: uuidSchema }))
  .query(async ({ ctx, input }) => toJobView(getWebVault(), ctx.workspaceId, await ownJob(ctx.workspaceId, ctx.user.id, input.id)));
