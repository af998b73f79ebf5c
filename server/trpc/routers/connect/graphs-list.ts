import { listDrivenGraphs } from "@/server/outside/graphs";
import { getEndpoint } from "@/server/outside/endpoint";
import { createProcedure } from "@/server/trpc/init";

export const connectGraphsList = createProcedure("connect.read").query(async ({ ctx }) => {
  const graphs = await listDrivenGraphs(ctx.workspaceId);

  return graphs.map(({ graphId, number, published }) => ({
    graphId,
    name: published.graph.name,
    description: published.graph.description,
    versionNumber: number,
    endpoint: getEndpoint(ctx.workspaceId, graphId),
  }));
});
