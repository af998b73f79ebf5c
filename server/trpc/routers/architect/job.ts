import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { ownJob, viewJob } from "@/server/architect/ask";
import { procedure } from "@/server/trpc/init";
import { webVault } from "@/server/web/web-vault";

/** A job's progress and result. */
export const architectJob = procedure("graph.edit")
  .input(z.strictObject({ id: uuidSchema }))
  .query(async ({ ctx, input }) => viewJob(webVault(), ctx.workspaceId, await ownJob(ctx.workspaceId, ctx.user.id, input.id)));
