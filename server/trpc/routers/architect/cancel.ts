import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { ownJob } from "@/server/architect/ask";
import { cancelArchitectJob } from "@/server/store/agents/architect-jobs";
import { createProcedure } from "@/server/trpc/init";

export const architectCancel = createProcedure("graph.edit")
  .input(z.strictObject({ id: uuidSchema }))
  .mutation(async ({ ctx, input }) => {
    await ownJob(ctx.workspaceId, ctx.user.id, input.id);

    return { stopping: await cancelArchitectJob(ctx.workspaceId, input.id) };
  });
