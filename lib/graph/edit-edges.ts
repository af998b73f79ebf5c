import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import { createEdge } from "@/lib/graph/edit-nodes";

/** Adds a node and an edge to it, evaluated last. */
export const addAfter = (graph: Graph, source: string, node: GraphNode): readonly EditOperation[] => [
  { op: "add_node", node },
  { op: "add_edge", edge: createEdge(graph, source, node.id) },
];

/** Inserts a node on an edge, which keeps its condition and order. */
export const insertOnEdge = (graph: Graph, edge: GraphEdge, node: GraphNode): readonly EditOperation[] => [
  { op: "add_node", node },
  { op: "replace_edge", edge: { ...edge, target: node.id } },
  { op: "add_edge", edge: createEdge(graph, node.id, edge.target) },
];
