import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import { createEdge } from "@/lib/graph/edit-nodes";
import { wireAfter } from "@/lib/graph/wiring";

const moveEnd = (graph: Graph, source: string, id: string): readonly EditOperation[] => {
  const { end_nodes: ends, edges } = graph;
  const isContinued = edges.some((edge) => edge.source === source);
  if (isContinued || (ends.length > 0 && !ends.includes(source))) return [];

  return [{ op: "settings", settings: { end_nodes: [...ends.filter((end) => end !== source), id] } }];
};

/** Adds a node that reads its predecessors' output, and a last edge. */
export const addAfter = (graph: Graph, source: string, node: GraphNode): readonly EditOperation[] => {
  const wired = wireAfter(graph, source, node);

  return [
    ...wired.edits,
    { op: "add_node", node: wired.node },
    { op: "add_edge", edge: createEdge(graph, source, node.id) },
    ...moveEnd(graph, source, node.id),
  ];
};

/** Inserts a node on an edge, keeping condition and order. */
export const insertOnEdge = (graph: Graph, edge: GraphEdge, node: GraphNode): readonly EditOperation[] => [
  { op: "add_node", node },
  { op: "replace_edge", edge: { ...edge, target: node.id } },
  { op: "add_edge", edge: createEdge(graph, node.id, edge.target) },
];
