/** Positions of proposed nodes: the model could stack them. */
import type { Graph, GraphNode } from "@/lib/graph/document";
import { buildTopology } from "@/lib/graph/topology";

const COLUMN_PX = 264;
const ROW_PX = 120;

type Point = { readonly x: number; readonly y: number };

/** Unreachable nodes come last. */
const columnsOf = (graph: Graph): Map<string, number> => {
  const { successors, ids } = buildTopology(graph);
  const columns = new Map<string, number>(ids.has(graph.start_node) ? [[graph.start_node, 0]] : []);
  for (const [id, column] of columns) {
    for (const next of successors.get(id) ?? []) if (!columns.has(next)) columns.set(next, column + 1);
  }
  const last = Math.max(0, ...columns.values()) + 1;

  return new Map(graph.nodes.map(({ id }) => [id, columns.get(id) ?? last]));
};

const overlaps = (a: Point, b: Point): boolean => Math.abs(a.x - b.x) < COLUMN_PX && Math.abs(a.y - b.y) < ROW_PX;

/** Puts new nodes right of their predecessors; others stay. */
export const placeNodes = (graph: Graph, before: Graph | null): Graph => {
  const { predecessors } = buildTopology(graph);
  const columns = columnsOf(graph);
  const column = (node: GraphNode): number => columns.get(node.id) ?? 0;
  const old = new Map((before?.nodes ?? []).map((node) => [node.id, node.position]));
  const places = new Map<string, Point>(graph.nodes.flatMap(({ id }) => (old.has(id) ? [[id, old.get(id) ?? { x: 0, y: 0 }]] : [])));
  for (const node of graph.nodes.toSorted((a, b) => column(a) - column(b))) {
    if (places.has(node.id)) continue;
    const [left] = (predecessors.get(node.id) ?? []).flatMap((id) => places.get(id) ?? []);
    const x = left ? left.x + COLUMN_PX : column(node) * COLUMN_PX;
    let y = left?.y ?? 0;
    while ([...places.values()].some((point) => overlaps(point, { x, y }))) y += ROW_PX;
    places.set(node.id, { x, y });
  }

  return { ...graph, nodes: graph.nodes.map((node): GraphNode => ({ ...node, position: { ...(places.get(node.id) ?? node.position) } })) };
};
