/** The changes that put a new node on a way. */
import type { Graph, GraphEdge, GraphNode } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import { newEdge } from "@/lib/graph/edit-nodes";

/** Adds a node with a way to it, which is the last one that is looked at. */
export const addedAfter = (graph: Graph, source: string, node: GraphNode): readonly EditOperation[] => [
  { op: "add_node", node },
  { op: "add_edge", edge: newEdge(graph, source, node.id) },
];

/** Puts a node on a way: the way leads to it as it led before, on its condition and in its place, and from it one leads on. */
export const insertedOn = (graph: Graph, edge: GraphEdge, node: GraphNode): readonly EditOperation[] => [
  { op: "add_node", node },
  { op: "replace_edge", edge: { ...edge, target: node.id } },
  { op: "add_edge", edge: newEdge(graph, node.id, edge.target) },
];
