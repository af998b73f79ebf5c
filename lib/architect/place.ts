/** Where a model's nodes stand: the model is not asked, so that nothing can be hidden under something else. */
import type { Graph, GraphNode } from "@/lib/graph/document";
import { topologyOf } from "@/lib/graph/topology";

const COLUMN_PX = 264;
const ROW_PX = 120;

type Point = { readonly x: number; readonly y: number };

/** How many steps away from the start each node is at least; what cannot be reached comes last. */
const columnsOf = (graph: Graph): Map<string, number> => {
  const { successors, ids } = topologyOf(graph);
  const columns = new Map<string, number>(ids.has(graph.start_node) ? [[graph.start_node, 0]] : []);
  for (const [id, column] of columns) {
    for (const next of successors.get(id) ?? []) if (!columns.has(next)) columns.set(next, column + 1);
  }
  const last = Math.max(0, ...columns.values()) + 1;

  return new Map(graph.nodes.map(({ id }) => [id, columns.get(id) ?? last]));
};

const overlaps = (a: Point, b: Point): boolean => Math.abs(a.x - b.x) < COLUMN_PX && Math.abs(a.y - b.y) < ROW_PX;

/** Nodes that were there before stay where they were; new ones stand in columns from the left, each in the first free row. */
export const placed = (graph: Graph, before: Graph | null): Graph => {
  const known = new Map((before?.nodes ?? []).map((node) => [node.id, node.position]));
  const columns = columnsOf(graph);
  const taken: Point[] = [...known.values()];
  const nodes = graph.nodes.map((node): GraphNode => {
    const there = known.get(node.id);
    if (there) return { ...node, position: there };
    const x = (columns.get(node.id) ?? 0) * COLUMN_PX;
    let y = 0;
    while (taken.some((point) => overlaps(point, { x, y }))) y += ROW_PX;
    taken.push({ x, y });

    return { ...node, position: { x, y } };
  });

  return { ...graph, nodes };
};
