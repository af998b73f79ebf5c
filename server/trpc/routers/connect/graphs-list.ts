import { drivenGraphs } from "@/server/outside/graphs";
import { endpointOf } from "@/server/outside/endpoint";
import { procedure } from "@/server/trpc/init";

/** Driven graphs and their addresses. */
export const connectGraphsList = procedure("connect.read").query(async ({ ctx }) => {
  const graphs = await drivenGraphs(ctx.workspaceId);

  return graphs.map(({ graphId, number, published }) => ({
    graph_id: graphId,
    name: published.graph.name,
    description: published.graph.description,
    version_number: number,
    endpoint: endpointOf(ctx.workspaceId, graphId),
  }));
});
