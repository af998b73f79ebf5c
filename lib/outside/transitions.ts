import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import { listDeclaredTargets } from "@/lib/graph/refs";

export type Transition = {
  readonly from: string;
  readonly to: string;
  readonly kind: GraphEdge["kind"] | "declared";
  readonly condition: string | null;
};

const declaredBy = (graph: Graph, node: GraphNode): readonly Transition[] =>
  listDeclaredTargets(node)
    .filter((to) => graph.nodes.some(({ id }) => id === to))
    .map((to) => ({ from: node.id, to, kind: "declared", condition: null }));

export const listTransitions = (graph: Graph): readonly Transition[] => {
  const ids = new Set(graph.nodes.map(({ id }) => id));
  const drawn = graph.edges
    .filter(({ source, target }) => ids.has(source) && ids.has(target))
    .map(({ source, target, kind, condition }) => ({ from: source, to: target, kind, condition: condition ?? null }));

  return [...drawn, ...graph.nodes.flatMap((node) => declaredBy(graph, node))];
};
