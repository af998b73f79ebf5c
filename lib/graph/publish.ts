import { publishedGraphSchema, type Graph, type GraphNode, type PublishedGraph, type SubgraphVersion } from "@/lib/graph/document";
import { runsGraph } from "@/lib/graph/kind-of";
import type { PublishedVersion, ValidationContext } from "@/lib/graph/facts/facts";
import { listAllAgentIds, listToolRefs } from "@/lib/graph/refs";
import { getToolId } from "@/lib/graph/tool-ref";
import { digestOf, type HexDigest } from "@/lib/hash";
import { jsonSchema, type Json } from "@/lib/json";

type SubgraphRef = { readonly graph_id: string; readonly version?: HexDigest | undefined };

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Resolves the named version, else the newest. */
export const resolveVersion = (versions: readonly PublishedVersion[], ref: SubgraphRef): PublishedVersion | undefined =>
  versions.find(({ version, published }) => published.graph.id === ref.graph_id && (ref.version === undefined || ref.version === version));

export const listNamedVersions = (graph: Graph): readonly HexDigest[] => [
  ...new Set(graph.nodes.flatMap((node) => (runsGraph(node) ? (node.config.version ?? []) : []))),
];

/** Unknown versions stay for the validator to report. */
const fixed = (node: GraphNode, versions: readonly PublishedVersion[]): GraphNode => {
  if (!runsGraph(node)) return node;
  const version = resolveVersion(versions, node.config)?.version;

  return version === undefined ? node : { ...node, config: { ...node.config, version } };
};

const subgraphsOf = (nodes: readonly GraphNode[], versions: readonly PublishedVersion[]): SubgraphVersion[] => {
  const used = nodes.flatMap((node) => (runsGraph(node) ? (resolveVersion(versions, node.config) ?? []) : []));
  const all = used.flatMap(({ version, published: { graph, agents, tools, subgraphs } }) => [
    { version, graph, agents, tools },
    ...subgraphs,
  ]);

  return [...new Map(all.map((one) => [one.version, one])).values()].toSorted((a, b) => byText(a.version, b.version));
};

/** Drops unset optional fields, as reading from a store does. */
export const toPlainVersion = (published: PublishedGraph): Json =>
  jsonSchema.parse(JSON.parse(JSON.stringify(publishedGraphSchema.parse(published))));

/** Computes the digest that names a version everywhere. */
export const computeVersionHash = (published: PublishedGraph): HexDigest => digestOf("graph", toPlainVersion(published));

/** Builds a version, independent of registry order. */
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
