import { z } from "zod";
import { AppError } from "@/lib/errors";
import { getGraph } from "@/server/store/graphs/graphs";
import { listGraphTriggers } from "@/server/store/triggers/projection";
import { createProcedure } from "@/server/trpc/init";

export const triggersGet = createProcedure("run.read")
  .input(z.strictObject({ graphId: z.uuid() }))
  .query(async ({ ctx, input: { graphId } }) => {
    const [graph, triggers] = await Promise.all([getGraph(ctx.workspaceId, graphId), listGraphTriggers(ctx.workspaceId, graphId)]);
    if (!graph) throw new AppError("not_found");

    return {
      name: graph.document.name,
      triggers: triggers.map((one) => ({
        ...one,
        path: one.kind === "webhook" ? `/api/triggers/${ctx.workspaceId}/${graphId}/${one.trigger}` : null,
      })),
    };
  });
