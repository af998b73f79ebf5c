import { listGraphs } from "@/server/store/graphs/graphs";
import { listRunFigures } from "@/server/store/graphs/run-figures";
import { createProcedure } from "@/server/trpc/init";

export const graphList = createProcedure("graph.read").query(async ({ ctx }) => {
  const [graphs, figures] = await Promise.all([listGraphs(ctx.workspaceId), listRunFigures(ctx.workspaceId)]);
  const byGraph = new Map(figures.map(({ graphId, ...rest }) => [graphId, rest]));

  return graphs.map((graph) => ({ ...graph, runs: byGraph.get(graph.id) ?? null }));
});

/** Deleted graphs, which can be restored. */
export const graphListDeleted = createProcedure("graph.read").query(({ ctx }) => listGraphs(ctx.workspaceId, "deleted"));
