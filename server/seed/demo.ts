/** Fills the demo workspace. Doing it again, also after half of it failed, adds what is missing and changes nothing else. */
import { AppError } from "@/lib/errors";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import { publishedGraphOf } from "@/lib/graph/publish";
import { hasErrors, validateGraph } from "@/lib/graph/validate";
import { bringUpServer, type SubmitRegistryCommand } from "@/server/seed/demo-servers";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";
import { DEMO_SERVERS } from "@/server/seed/support-desk/servers";
import { listAgents, saveAgent } from "@/server/store/agents";
import { listVersions, publishVersion, usableVersions } from "@/server/store/graph-versions";
import { createGraph, getGraph } from "@/server/store/graphs";
import { listPinnedTools } from "@/server/store/mcp";

/** Fixed, so that a second click finds the graph of the first. Graphs are named within their workspace. */
export const DEMO_GRAPH_ID = "5de50000-0000-4000-8000-000000000001";

const publishSupportDesk = async (workspaceId: string, authorId: string): Promise<void> => {
  const draft =
    (await getGraph(workspaceId, DEMO_GRAPH_ID)) ??
    (await createGraph(workspaceId, { document: graphSchema.parse(SUPPORT_DESK_GRAPH), authorId }, DEMO_GRAPH_ID));
  if ((await listVersions(workspaceId, DEMO_GRAPH_ID)).length > 0) return;

  const [rows, tools, versions] = await Promise.all([listAgents(workspaceId), listPinnedTools(workspaceId), usableVersions(workspaceId)]);
  const context = { agents: rows.map((row) => row.agent), tools, versions };
  if (hasErrors(validateGraph(draft.document, context))) throw new AppError("invalid_graph");
  await publishVersion(workspaceId, { graphId: DEMO_GRAPH_ID, published: publishedGraphOf(draft.document, context), authorId });
};

const fill = async (workspaceId: string, authorId: string, submit: SubmitRegistryCommand): Promise<void> => {
  for (const server of DEMO_SERVERS) await bringUpServer(workspaceId, server, submit);
  // An agent that is there already stays as people have made it.
  for (const agent of SUPPORT_DESK_AGENTS) await saveAgent(workspaceId, agentSchema.parse(agent), null);
  await publishSupportDesk(workspaceId, authorId);
};

/** One filling at a time: two clicks wait for the same one, because two would step on each other's revisions. */
const underWay = new Map<string, Promise<void>>();

/**
 * Servers, agents, graph and its first version. Runs in the web process, which may not touch the registry: the runner does.
 * @param authorId the builder in whose name graph and version stand
 * @throws AppError when the runner cannot bring up a server
 */
export const seedDemoWorkspace = (workspaceId: string, authorId: string, submit: SubmitRegistryCommand): Promise<void> => {
  const already = underWay.get(workspaceId);
  if (already) return already;
  const filling = fill(workspaceId, authorId, submit).finally(() => underWay.delete(workspaceId));
  underWay.set(workspaceId, filling);

  return filling;
};
