import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { Graph } from "@/lib/graph/document";
import { openApprovalsOf } from "@/server/store/approvals/approvals";
import { getVersion } from "@/server/store/graphs/versions";
import { getRun } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";

const shapeOf = ({ nodes, edges }: Graph) => ({
  nodes: nodes.map(({ id, kind, title, position }) => ({ id, kind, title, position })),
  edges: edges.map(({ id, source, target }) => ({ id, source, target })),
});

export const runsGet = createProcedure("run.read")
  .input(z.strictObject({ runId: z.uuid() }))
  .query(async ({ ctx, input }) => {
    const run = await getRun(ctx.workspaceId, input.runId);
    if (!run) throw new AppError("not_found");
    const version = await getVersion(ctx.workspaceId, run.graphHash);
    if (!version) throw new AppError("not_found");
    const { graph, agents, subgraphs } = version.published;

    return {
      run,
      graph: {
        strictTaint: graph.strict_taint,
        memory: graph.memory.map(({ key, classification, protected: isProtected }) => ({ key, classification, protected: isProtected })),
        ...shapeOf(graph),
        subgraphs: subgraphs.map((used) => ({ version: used.version, ...shapeOf(used.graph) })),
        agents: agents.map(({ id }) => id),
        startNode: graph.start_node,
      },
      waiting: await openApprovalsOf(ctx.workspaceId, run.id),
    };
  });
