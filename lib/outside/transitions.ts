/** Every way that the engine can go in a graph, for whoever reads the graph: edges, and what nodes' configurations declare. */
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import { declaredTargets } from "@/lib/graph/refs";

export type Transition = {
  readonly from: string;
  readonly to: string;
  readonly kind: GraphEdge["kind"] | "declared";
  /** The text that has to be true, in the graph's own words. */
  readonly condition: string | null;
};

const declaredBy = (graph: Graph, node: GraphNode): readonly Transition[] =>
  declaredTargets(node)
    .filter((to) => graph.nodes.some(({ id }) => id === to))
    .map((to) => ({ from: node.id, to, kind: "declared", condition: null }));

/** In the order of the document; edges that lead nowhere are none. */
export const transitionsOf = (graph: Graph): readonly Transition[] => {
  const ids = new Set(graph.nodes.map(({ id }) => id));
  const drawn = graph.edges
    .filter(({ source, target }) => ids.has(source) && ids.has(target))
    .map(({ source, target, kind, condition }) => ({ from: source, to: target, kind, condition: condition ?? null }));

  return [...drawn, ...graph.nodes.flatMap((node) => declaredBy(graph, node))];
};
