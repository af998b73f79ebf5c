import type { Graph, GraphNode } from "@/lib/graph/document";
import { buildTopology } from "@/lib/graph/topology";

export const DIRECTIONS = ["up", "down", "left", "right"] as const;
export type Direction = (typeof DIRECTIONS)[number];

type Offset = {
  /** Pixels in the direction, and aside. */
  readonly along: number;
  readonly aside: number;
};

const UNIT: Record<Direction, { readonly x: number; readonly y: number }> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
};

/** Most sideways travel per step onward. */
const WAY_SLOPE = 3;
const NEIGHBOUR_SLOPE = 1;

/** Nodes are of one size, so corners suffice. */
const offsetOf = (from: GraphNode, to: GraphNode, direction: Direction): Offset => {
  const { x, y } = UNIT[direction];
  const dx = to.position.x - from.position.x;
  const dy = to.position.y - from.position.y;

  return { along: dx * x + dy * y, aside: Math.abs(dx * y) + Math.abs(dy * x) };
};

/** Returns the next node: along an edge, else the nearest in that direction, else aside. */
export const walkFrom = (graph: Graph, id: string, direction: Direction): string | null => {
  const from = graph.nodes.find((node) => node.id === id);
  if (!from) return null;
  const { successors, predecessors } = buildTopology(graph);
  const joined = new Set([...(successors.get(id) ?? []), ...(predecessors.get(id) ?? [])]);
  const there = graph.nodes.flatMap((node) => {
    const { along, aside } = offsetOf(from, node, direction);

    return node.id !== id && along > 0 ? [{ id: node.id, along, aside, distance: along + 2 * aside }] : [];
  });
  const nearest = (among: typeof there) =>
    among.reduce<(typeof there)[number] | undefined>((best, other) => (best && best.distance <= other.distance ? best : other), undefined);
  const found =
    nearest(there.filter((node) => joined.has(node.id) && node.aside <= node.along * WAY_SLOPE)) ??
    nearest(there.filter((node) => node.aside <= node.along * NEIGHBOUR_SLOPE)) ??
    nearest(there);

  return found?.id ?? null;
};
