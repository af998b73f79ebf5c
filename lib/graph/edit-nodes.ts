/** The changes that touch a node and what refers to it. */
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import { withReferences } from "./edit-references";

/** `base`, or `base_2`, `base_3`, … : the first that is not taken. Ids are at most 64 characters. */
export const generateId = (base: string, taken: ReadonlySet<string>): string => {
  const stem = base.slice(0, 56);
  if (!taken.has(stem)) return stem;
  const free = Array.from({ length: taken.size + 1 }, (_, index) => `${stem}_${index + 2}`).find((id) => !taken.has(id));

  return free ?? stem;
};

/** An unconditional edge between two nodes, with an id that the graph does not have yet. */
export const createEdge = (graph: Graph, source: string, target: string): GraphEdge => ({
  id: generateId(`${source.slice(0, 26)}-${target.slice(0, 26)}`, new Set(graph.edges.map((edge) => edge.id))),
  source,
  target,
  kind: "normal",
});

/** Renames a node and everything that names it. A taken name changes nothing. */
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

/** What came after a node when it did not fail, in order: what is not there cannot fail. */
const cameAfter = (graph: Graph, id: string): readonly string[] => [
  ...new Set(
    graph.edges.flatMap(({ source, target, kind }) =>
      source === id && target !== id && kind !== "error" && kind !== "timeout" ? [target] : [],
    ),
  ),
];

/** Incoming edges, redirected to the successor; they keep their kind, condition and order. */
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

/**
 * Removes a node with its edges, or joins its ways in with its ways out. What named it does so no more, or names what came
 * after; what has to name one keeps the name, and the validator says that it is not there.
 */
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

/** Inserts a node before `before` on every path: edges, declared targets, and the start of the run. */
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
