import { z } from "zod";
import { AppError } from "@/lib/errors";
import { idSchema } from "@/lib/ids";
import { listAgents } from "@/server/store/agents/agents";
import { listUsableVersions } from "@/server/store/graphs/versions";
import { getMcpServer } from "@/server/store/mcp/servers";
import { listApprovalsNaming, listLiveRuns } from "@/server/store/mcp/impact";
import { createProcedure } from "@/server/trpc/init";
import { usesServer } from "./server-reach";

const MOST_LISTED = 50;

const listed = <T>(all: readonly T[]) => ({ items: all.slice(0, MOST_LISTED), more: Math.max(0, all.length - MOST_LISTED) });

/** Lists a server's dependants by name and id. */
export const mcpImpact = createProcedure("mcp.read")
  .input(z.strictObject({ id: idSchema }))
  .query(async ({ ctx: { workspaceId }, input: { id } }) => {
    if (!(await getMcpServer(workspaceId, id))) throw new AppError("not_found");
    const [rows, runs, approvals] = await Promise.all([
      listAgents(workspaceId),
      listLiveRuns(workspaceId),
      listApprovalsNaming(workspaceId, id),
    ]);
    const agents = rows.flatMap(({ agent }) => {
      const tools = agent.tools.flatMap(({ server, tool }) => (server === id ? [tool] : []));

      return tools.length === 0 ? [] : [{ id: agent.id, name: agent.name, tools }];
    });
    const versions = await listUsableVersions(workspaceId, [...new Set(runs.map((run) => run.graphHash))]);
    const using = versions.filter(({ published }) => usesServer(published, id));
    const hashes = new Set(using.map(({ version }) => version));
    const touched = runs.filter((run) => hashes.has(run.graphHash));
    // A run may execute an older version.
    const graphs = [...new Map(using.map((found) => [found.graphId, { id: found.graphId, name: found.published.graph.name }])).values()];

    return {
      agents: listed(agents),
      graphs: listed(graphs),
      runs: listed(touched.map((run) => ({ id: run.id, status: run.status }))),
      approvals: approvals.map(({ id: approval, runId: run, node, tool, status }) => ({ id: approval, run, node, tool, status })),
    };
  });
