import type { Graph, GraphNode } from "@/lib/graph/document";
import { withReferences } from "@/lib/graph/edit-references";

/** By place: `node:plan`, `edge:plan-send`, `settings:start_node`. */
export type Named = ReadonlyMap<string, ReadonlySet<string>>;

const START = "settings:start_node";
const ENDS = "settings:end_nodes";

const namedBy = (node: GraphNode): ReadonlySet<string> => {
  const named = new Set<string>();
  const see = (id: string) => {
    named.add(id);

    return id;
  };
  withReferences(node, { way: see, part: see });

  return named;
};

export const collectNamedNodes = (graph: Graph): Named =>
  new Map([
    ...graph.nodes.map((node) => [`node:${node.id}`, namedBy(node)] as const),
    ...graph.edges.map((edge) => [`edge:${edge.id}`, new Set([edge.source, edge.target])] as const),
    [START, new Set([graph.start_node])] as const,
    [ENDS, new Set(graph.end_nodes)] as const,
  ]);

const keysOf = (grants: readonly string[]): ReadonlySet<string> => new Set(grants.map((grant) => grant.split(".")[0] ?? ""));

/** Collects memory keys from grants. */
export const collectNamedKeys = (graph: Graph): Named =>
  new Map([
    ...graph.nodes.map((node) => [`node:${node.id}`, keysOf([...node.read_keys, ...node.write_keys])] as const),
    ["settings:external", keysOf(graph.external?.read_keys ?? [])] as const,
  ]);

/** Removes references. @param isCut decides by place and id @param startInstead replaces a removed start */
export const removeNames = (graph: Graph, isCut: (place: string, id: string) => boolean, startInstead: (id: string) => string): Graph => ({
  ...graph,
  start_node: isCut(START, graph.start_node) ? startInstead(graph.start_node) : graph.start_node,
  end_nodes: graph.end_nodes.filter((id) => !isCut(ENDS, id)),
  nodes: graph.nodes.map((node) => {
    const keep = (id: string) => (isCut(`node:${node.id}`, id) ? undefined : id);

    return withReferences(node, { way: keep, part: keep });
  }),
  edges: graph.edges.filter(({ id, source, target }) => !isCut(`edge:${id}`, source) && !isCut(`edge:${id}`, target)),
});
