import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import { withReferences } from "./edit-references";

/** Returns the first free of `base`, `base_2`, …; at most 64 characters. */
export const generateId = (base: string, taken: ReadonlySet<string>): string => {
  const stem = base.slice(0, 56);
  if (!taken.has(stem)) return stem;
  const free = Array.from({ length: taken.size + 1 }, (_, index) => `${stem}_${index + 2}`).find((id) => !taken.has(id));

  return free ?? stem;
};

/** Creates an unconditional edge with a new id. */
export const createEdge = (graph: Graph, source: string, target: string): GraphEdge => ({
  id: generateId(`${source.slice(0, 26)}-${target.slice(0, 26)}`, new Set(graph.edges.map((edge) => edge.id))),
  source,
  target,
  kind: "normal",
});

/** Renames a node and its references, if the name is free. */
export const renameNode = (graph: Graph, from: string, to: string): Graph => {
  const ids = new Set(graph.nodes.map((node) => node.id));
  if (!ids.has(from) || ids.has(to)) return graph;
  const name = (id: string) => (id === from ? to : id);

  return {
    ...graph,
    start_node: name(graph.start_node),
    end_nodes: graph.end_nodes.map(name),
    nodes: graph.nodes.map((node) => withReferences(node.id === from ? { ...node, id: to } : node, { way: name, part: name })),
    edges: graph.edges.map((edge) => ({ ...edge, source: name(edge.source), target: name(edge.target) })),
  };
};

/** Excludes failure edges: an absent node cannot fail. */
const cameAfter = (graph: Graph, id: string): readonly string[] => [
  ...new Set(
    graph.edges.flatMap(({ source, target, kind }) =>
      source === id && target !== id && kind !== "error" && kind !== "timeout" ? [target] : [],
    ),
  ),
];

const rejoined = (graph: Graph, id: string): GraphEdge[] => {
  const targets = cameAfter(graph, id);
  const taken = new Set(graph.edges.map((edge) => edge.id));
  const joins = (edge: GraphEdge): GraphEdge[] =>
    targets.map((target, index) => {
      if (index === 0) return { ...edge, target };
      const fresh = generateId(`${edge.source.slice(0, 26)}-${target.slice(0, 26)}`, taken);
      taken.add(fresh);

      return { ...edge, id: fresh, target };
    });

  return graph.edges.flatMap((edge) => {
    if (edge.source === id) return [];

    return edge.target === id ? joins(edge) : [edge];
  });
};

/** Removes a node, optionally joining its neighbours. Required references stay for the validator. */
export const removeNode = (graph: Graph, id: string, rejoin: boolean): Graph => {
  if (!graph.nodes.some((node) => node.id === id)) return graph;
  const [next] = cameAfter(graph, id);
  const part = (other: string) => (other === id ? undefined : other);
  const way = (other: string, by: string) => (other === id && rejoin && next !== by ? next : part(other));

  return {
    ...graph,
    nodes: graph.nodes.filter((node) => node.id !== id).map((node) => withReferences(node, { way, part })),
    edges: rejoin ? rejoined(graph, id) : graph.edges.filter((edge) => edge.source !== id && edge.target !== id),
    start_node: graph.start_node === id && rejoin && next !== undefined ? next : graph.start_node,
    end_nodes: graph.end_nodes.filter((end) => end !== id),
  };
};

export const insertBefore = (graph: Graph, before: string, node: GraphNode): Graph => {
  const ids = new Set(graph.nodes.map((other) => other.id));
  if (!ids.has(before) || ids.has(node.id)) return graph;

  const way = (id: string) => (id === before ? node.id : id);
  const part = (id: string) => id;

  return {
    ...graph,
    nodes: [...graph.nodes.map((other) => withReferences(other, { way, part })), node],
    edges: [
      ...graph.edges.map((edge) => (edge.target === before ? { ...edge, target: node.id } : edge)),
      createEdge(graph, node.id, before),
    ],
    start_node: graph.start_node === before ? node.id : graph.start_node,
  };
};
