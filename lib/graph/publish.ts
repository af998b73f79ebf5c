/** What publishing freezes: the graph with the agents, pinned tools and published graphs it uses, and nothing else of the registry. */
import { publishedGraphSchema, type Graph, type GraphNode, type PublishedGraph, type SubgraphVersion } from "@/lib/graph/document";
import type { PublishedVersion, ValidationContext } from "@/lib/graph/problems/facts";
import { listAllAgentIds, listToolRefs } from "@/lib/graph/refs";
import { getToolId } from "@/lib/graph/tool-ref";
import { digestOf, type HexDigest } from "@/lib/hash";
import { jsonSchema, type Json } from "@/lib/json";

type SubgraphRef = { readonly graph_id: string; readonly version?: HexDigest | undefined };

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The version that a subgraph node names, or the newest one of its graph. */
export const resolveVersion = (versions: readonly PublishedVersion[], ref: SubgraphRef): PublishedVersion | undefined =>
  versions.find(({ version, published }) => published.graph.id === ref.graph_id && (ref.version === undefined || ref.version === version));

/** The versions that a draft names itself. */
export const listNamedVersions = (graph: Graph): readonly HexDigest[] => [
  ...new Set(graph.nodes.flatMap((node) => (node.kind === "subgraph" ? (node.config.version ?? []) : []))),
];

/** The node with the version that it means written down. A version that nobody knows stays as it is: the validator objects. */
const fixed = (node: GraphNode, versions: readonly PublishedVersion[]): GraphNode => {
  if (node.kind !== "subgraph") return node;
  const version = resolveVersion(versions, node.config)?.version;

  return version === undefined ? node : { ...node, config: { ...node.config, version } };
};

/** Every version that the nodes use at any depth, each once. A published version brings those below it along. */
const subgraphsOf = (nodes: readonly GraphNode[], versions: readonly PublishedVersion[]): SubgraphVersion[] => {
  const used = nodes.flatMap((node) => (node.kind === "subgraph" ? (resolveVersion(versions, node.config) ?? []) : []));
  const all = used.flatMap(({ version, published: { graph, agents, tools, subgraphs } }) => [
    { version, graph, agents, tools },
    ...subgraphs,
  ]);

  return [...new Map(all.map((one) => [one.version, one])).values()].toSorted((a, b) => byText(a.version, b.version));
};

/** The document as plain JSON: optional fields that are not set are not there, as after any reading from a store. */
export const toPlainVersion = (published: PublishedGraph): Json =>
  jsonSchema.parse(JSON.parse(JSON.stringify(publishedGraphSchema.parse(published))));

/** The name of a version: runs, approvals, records and subgraph nodes refer to it by this. */
export const computeVersionHash = (published: PublishedGraph): HexDigest => digestOf("graph", toPlainVersion(published));

/** Sorted, so that the order of the registry does not change the version's name. */
export const buildPublishedGraph = (draft: Graph, context: ValidationContext): PublishedGraph => {
  const graph = { ...draft, nodes: draft.nodes.map((node) => fixed(node, context.versions)) };
  const agentIds = new Set(listAllAgentIds(graph));
  const agents = context.agents.filter((agent) => agentIds.has(agent.id)).toSorted((a, b) => byText(a.id, b.id));
  const named = [...graph.nodes.flatMap(listToolRefs), ...agents.flatMap((agent) => agent.tools)];
  const used = new Set(named.map(({ server, tool }) => getToolId(server, tool)));
  const tools = context.tools
    .filter((tool) => used.has(getToolId(tool.server, tool.tool)))
    .toSorted((a, b) => byText(getToolId(a.server, a.tool), getToolId(b.server, b.tool)));

  return { graph, agents, tools, subgraphs: subgraphsOf(graph.nodes, context.versions) };
};
