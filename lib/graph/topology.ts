/** Adjacency. Dangling edges lead nowhere; workers continue from their map. */
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import { asksPerson, mapsItems } from "@/lib/graph/kind-of";
import { listDeclaredTargets } from "@/lib/graph/refs";

export type Topology = {
  readonly ids: ReadonlySet<string>;
  readonly out: ReadonlyMap<string, readonly GraphEdge[]>;
  readonly successors: ReadonlyMap<string, readonly string[]>;
  readonly predecessors: ReadonlyMap<string, readonly string[]>;
  /** Over all edges, declared targets and workers. */
  readonly reachable: ReadonlySet<string>;
};

const append = <T>(map: Map<string, T[]>, key: string, item: T) => {
  const items = map.get(key);
  if (items) items.push(item);
  else map.set(key, [item]);
};

/** Finds reachable nodes, the start included. */
export const findReachable = (from: Iterable<string>, next: ReadonlyMap<string, readonly string[]>): Set<string> => {
  const seen = new Set(from);
  // // A Set iterates over additions too.
  for (const id of seen) for (const target of next.get(id) ?? []) seen.add(target);

  return seen;
};

export const listFailureEdges = ({ out }: Pick<Topology, "out">, { id }: Pick<GraphNode, "id">): readonly string[] =>
  (out.get(id) ?? []).flatMap(({ kind, target }) => (kind === "error" || kind === "timeout" ? [target] : []));

/** Lists targets reached without approval. */
export const listRefusalEdges = (topology: Pick<Topology, "out">, node: GraphNode): readonly string[] => [
  ...listFailureEdges(topology, node),
  ...(asksPerson(node) ? listDeclaredTargets(node) : []),
];

export const buildTopology = (graph: Graph): Topology => {
  const ids = new Set(graph.nodes.map((node) => node.id));
  const out = new Map<string, GraphEdge[]>();
  const successors = new Map<string, string[]>();
  const predecessors = new Map<string, string[]>();
  const join = (source: string, target: string) => {
    append(successors, source, target);
    append(predecessors, target, source);
  };
  for (const edge of graph.edges) {
    if (!ids.has(edge.source) || !ids.has(edge.target)) continue;
    append(out, edge.source, edge);
    join(edge.source, edge.target);
  }
  for (const node of graph.nodes) {
    for (const target of listDeclaredTargets(node)) if (ids.has(target)) join(node.id, target);
    if (mapsItems(node) && ids.has(node.config.worker_node)) join(node.id, node.config.worker_node);
  }

  return {
    ids,
    out,
    successors,
    predecessors,
    reachable: ids.has(graph.start_node) ? findReachable([graph.start_node], successors) : new Set(),
  };
};
