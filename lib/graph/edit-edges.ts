/** Edits that add a node after another or on an edge. */
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import { createEdge } from "@/lib/graph/edit-nodes";

/** Adds a node with an edge to it, which is evaluated last. */
export const addAfter = (graph: Graph, source: string, node: GraphNode): readonly EditOperation[] => [
  { op: "add_node", node },
  { op: "add_edge", edge: createEdge(graph, source, node.id) },
];

/** Inserts a node on an edge: the edge keeps its condition and order and leads to the node; a new edge leads on. */
export const insertOnEdge = (graph: Graph, edge: GraphEdge, node: GraphNode): readonly EditOperation[] => [
  { op: "add_node", node },
  { op: "replace_edge", edge: { ...edge, target: node.id } },
  { op: "add_edge", edge: createEdge(graph, node.id, edge.target) },
];
