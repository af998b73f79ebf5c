import { AppError } from "@/lib/errors";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import { publishCase } from "@/server/architect/publishing";
import { bringUpServer, showDrift, type SubmitRegistryCommand } from "@/server/seed/demo-servers";
import { DEMO_AGENTS, DEMO_GRAPHS, DEMO_SERVERS, type DemoGraph } from "@/server/seed/workflows";
import { saveAgent } from "@/server/store/agents/agents";
import { listVersions } from "@/server/store/graphs/versions";
import { createGraph, getGraph } from "@/server/store/graphs/graphs";
import { askForSecondPerson, askToApprove, askToPublish } from "@/server/web/publishing";

/** The second approves where a second person is required. */
export type DemoBuilders = { readonly author: string; readonly second: string };

const demoAuthor = (id: string) => ({ type: "user", id, session: null }) as const;

const publishFirst = async (workspaceId: string, { author, second }: DemoBuilders, { id, document }: DemoGraph): Promise<void> => {
  const draft =
    (await getGraph(workspaceId, id)) ?? (await createGraph(workspaceId, { document: graphSchema.parse(document), authorId: author }, id));
  if ((await listVersions(workspaceId, id)).length > 0) return;
  const { hash } = await publishCase(workspaceId, id, draft.revision);
  const wanted = { id, revision: draft.revision, hash };
  const outcome = await askToPublish(workspaceId, demoAuthor(author), wanted);
  if (outcome.status === "invalid_graph") throw new AppError("invalid_graph");
  if (outcome.status === "published") return;
  const asked = await askForSecondPerson(workspaceId, demoAuthor(author), wanted);
  if (asked.status !== "requested") throw new AppError("invalid_graph");
  await askToApprove(workspaceId, demoAuthor(second), asked.id, hash);
};

const fill = async (workspaceId: string, builders: DemoBuilders, submit: SubmitRegistryCommand): Promise<void> => {
  await Promise.all(DEMO_SERVERS.map((server) => bringUpServer(workspaceId, server, submit)));
  await Promise.all(DEMO_AGENTS.map((agent) => saveAgent(workspaceId, agentSchema.parse(agent), null)));
  const [last, ...others] = DEMO_GRAPHS.toReversed();
  for (const graph of others.toReversed()) await publishFirst(workspaceId, builders, graph);
  // A later click must not undo an admin's review.
  if (last && (await listVersions(workspaceId, last.id)).length === 0) {
    for (const server of DEMO_SERVERS) if (server.changes) await showDrift(workspaceId, server, submit);
    await publishFirst(workspaceId, builders, last);
  }
};

/** Shared: concurrent fillings would conflict on revisions. */
const underWay = new Map<string, Promise<void>>();

/** Adds missing content. @throws AppError when a server does not start */
export const seedDemoWorkspace = (workspaceId: string, builders: DemoBuilders, submit: SubmitRegistryCommand): Promise<void> => {
  const already = underWay.get(workspaceId);
  if (already) return already;
  const filling = fill(workspaceId, builders, submit).finally(() => underWay.delete(workspaceId));
  underWay.set(workspaceId, filling);

  return filling;
};
