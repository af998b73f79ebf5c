import { agentSchema, graphSchema, type Agent, type Graph, type NodeOf, type PinnedTool } from "@/lib/graph/document";
import { runsGraph } from "@/lib/graph/kind-of";
import type { PublishedVersion } from "@/lib/graph/facts/facts";
import { listAgentIds, listToolRefs } from "@/lib/graph/refs";
import { getToolId } from "@/lib/graph/tool-ref";
import type { GraphFile } from "./graph-file";

type ToolRef = ReturnType<typeof listToolRefs>[number];

export const listNamedTools = ({ graph, agents }: GraphFile): readonly ToolRef[] => {
  const named = [...graph.nodes.flatMap(listToolRefs), ...(agents ?? []).flatMap((agent) => agent.tools)];

  return [...new Map(named.map((tool) => [getToolId(tool.server, tool.tool), tool])).values()];
};

export const listNamedAgents = (graph: Graph): readonly string[] => [...new Set(graph.nodes.flatMap(listAgentIds))];

export const createUnknownTool = ({ server, tool }: ToolRef): PinnedTool => ({
  server,
  tool,
  definition_digest: "0".repeat(64),
  description: "",
  input_schema: {},
  effect: "pure",
  idempotent: false,
  output: "internal",
  outward: false,
  clearance: "secret",
});

export const createUnknownAgent = (id: string): Agent => agentSchema.parse({ id, name: id });

type SubgraphNode = NodeOf<"subgraph">;

const SOME_VERSION = "0".repeat(64);

/** Takes all given values and returns all mapped ones. */
const unknownGraph = (id: string, nodes: readonly SubgraphNode[]): Graph => {
  const given = [...new Set(nodes.flatMap(({ config }) => Object.keys(config.inputs)))];
  const taken = nodes.flatMap(({ config }) => Object.values(config.outputs).map((path) => path.split(".")[0] ?? path));
  const made = [...new Set(taken)].filter((key) => !given.includes(key));

  return graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: id,
    inputs: { type: "object", properties: Object.fromEntries(given.map((key) => [key, {}])) },
    memory: [
      ...given.map((key) => ({ key, schema: {}, classification: "secret" })),
      ...made.map((key) => ({ key, schema: {}, classification: "public" })),
    ],
    nodes: [{ id: "unknown", kind: "router", config: {} }],
    edges: [],
    start_node: "unknown",
    end_nodes: ["unknown"],
  });
};

const subgraphNodes = (graph: Graph): readonly SubgraphNode[] => graph.nodes.filter((node) => runsGraph(node));

export const listNamedGraphs = (graph: Graph): readonly string[] => [...new Set(subgraphNodes(graph).map(({ config }) => config.graph_id))];

export const listUnknownVersions = (graph: Graph): readonly PublishedVersion[] =>
  listNamedGraphs(graph).flatMap((id) => {
    const nodes = subgraphNodes(graph).filter(({ config }) => config.graph_id === id);
    const published = { graph: unknownGraph(id, nodes), agents: [], tools: [], subgraphs: [] };

    return [...new Set(nodes.map(({ config }) => config.version ?? SOME_VERSION))].map((version) => ({ version, published }));
  });
