/** Fills the demo workspace. Doing it again, also after half of it failed, adds what is missing and changes nothing else. */
import { AppError } from "@/lib/errors";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import { publishedGraphOf } from "@/lib/graph/publish";
import { hasErrors, validateGraph } from "@/lib/graph/validate";
import { bringUpServer, type SubmitRegistryCommand } from "@/server/seed/demo-servers";
import { DEMO_AGENTS, DEMO_GRAPHS, DEMO_SERVERS, type DemoGraph } from "@/server/seed/workflows";
import { listAgents, saveAgent } from "@/server/store/agents";
import { listVersions, publishVersion, usableVersions } from "@/server/store/graph-versions";
import { createGraph, getGraph } from "@/server/store/graphs";
import { listPinnedTools } from "@/server/store/mcp";

const publishFirst = async (workspaceId: string, authorId: string, { id, document }: DemoGraph): Promise<void> => {
  const draft =
    (await getGraph(workspaceId, id)) ?? (await createGraph(workspaceId, { document: graphSchema.parse(document), authorId }, id));
  if ((await listVersions(workspaceId, id)).length > 0) return;

  const [rows, tools, versions] = await Promise.all([listAgents(workspaceId), listPinnedTools(workspaceId), usableVersions(workspaceId)]);
  const context = { agents: rows.map((row) => row.agent), tools, versions };
  if (hasErrors(validateGraph(draft.document, context))) throw new AppError("invalid_graph");
  await publishVersion(workspaceId, {
    graphId: id,
    published: publishedGraphOf(draft.document, context),
    authorId,
    revision: draft.revision,
  });
};

const fill = async (workspaceId: string, authorId: string, submit: SubmitRegistryCommand): Promise<void> => {
  await Promise.all(DEMO_SERVERS.map((server) => bringUpServer(workspaceId, server, submit)));
  // An agent that is there already stays as people have made it.
  await Promise.all(DEMO_AGENTS.map((agent) => saveAgent(workspaceId, agentSchema.parse(agent), null)));
  for (const graph of DEMO_GRAPHS) await publishFirst(workspaceId, authorId, graph);
};

/** One filling at a time: two clicks wait for the same one, because two would step on each other's revisions. */
const underWay = new Map<string, Promise<void>>();

/**
 * Servers, agents, graphs and their first versions. Runs in the web process, which may not touch the registry: the runner does.
 * @param authorId the builder in whose name graphs and versions stand
 * @throws AppError when the runner cannot bring up a server
 */
export const seedDemoWorkspace = (workspaceId: string, authorId: string, submit: SubmitRegistryCommand): Promise<void> => {
  const already = underWay.get(workspaceId);
  if (already) return already;
  const filling = fill(workspaceId, authorId, submit).finally(() => underWay.delete(workspaceId));
  underWay.set(workspaceId, filling);

  return filling;
};
