/** Graphs to begin with. */
import { agentSchema, graphSchema, type Agent, type Graph, type GraphInput, type PinnedTool } from "@/lib/graph/document";

export type Template = {
  readonly id: string;
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Tools a server must offer, by its id in `document`. */
  readonly servers: readonly { readonly id: string; readonly what: string; readonly tools: readonly string[] }[];
  readonly agents: readonly Parameters<typeof agentSchema.parse>[0][];
  readonly document: GraphInput;
};

export type Need = {
  readonly what: string;
  readonly tools: readonly string[];
  /** The workspace's server; null: none yet. */
  readonly server: string | null;
};

export type Filled = {
  readonly document: Graph;
  /** To be created first. */
  readonly agents: readonly Agent[];
  readonly needs: readonly Need[];
};

type Workspace = { readonly agents: readonly Agent[]; readonly tools: readonly Pick<PinnedTool, "server" | "tool">[] };

const serverWith = ({ tools }: Workspace, wanted: readonly string[], preferred: string): string | null => {
  const servers = [...new Set(tools.map(({ server }) => server))].toSorted((a, b) => Number(b === preferred) - Number(a === preferred));

  return servers.find((server) => wanted.every((name) => tools.some((tool) => tool.server === server && tool.tool === name))) ?? null;
};

const sameAgent = (a: Agent, b: Agent): boolean => JSON.stringify(agentSchema.parse(a)) === JSON.stringify(agentSchema.parse(b));

const freeId = (id: string, taken: ReadonlySet<string>, next = 2): string => {
  if (!taken.has(id)) return id;
  const candidate = `${id}_${next}`;

  return taken.has(candidate) ? freeId(id, taken, next + 1) : candidate;
};

/** Replaces agent and server ids in configs. */
const rewire = (document: Graph, agents: ReadonlyMap<string, string>, servers: ReadonlyMap<string, string>): Graph =>
  graphSchema.parse({
    ...document,
    nodes: document.nodes.map((node) => {
      const config: Record<string, unknown> = { ...node.config };
      if (typeof config["agent_id"] === "string") config["agent_id"] = agents.get(config["agent_id"]) ?? config["agent_id"];
      if (typeof config["server"] === "string") config["server"] = servers.get(config["server"]) ?? config["server"];

      return { ...node, config };
    }),
  });

/** Fits a template to a workspace; existing agents stay. */
export const fillTemplate = (template: Template, workspace: Workspace): Filled => {
  const needs = template.servers.map(({ id, what, tools }) => ({ id, what, tools, server: serverWith(workspace, tools, id) }));
  const taken = new Set(workspace.agents.map(({ id }) => id));
  const agents = template.agents.map((input) => {
    const agent = agentSchema.parse(input);
    const known = workspace.agents.find(({ id }) => id === agent.id);

    return { from: agent.id, agent: known && !sameAgent(known, agent) ? { ...agent, id: freeId(agent.id, taken) } : agent };
  });

  return {
    document: rewire(
      graphSchema.parse(template.document),
      new Map(agents.map(({ from, agent }) => [from, agent.id])),
      new Map(needs.flatMap(({ id, server }) => (server === null ? [] : [[id, server]]))),
    ),
    agents: agents.flatMap(({ agent }) => (taken.has(agent.id) ? [] : [agent])),
    needs: needs.map(({ what, tools, server }) => ({ what, tools, server })),
  };
};
