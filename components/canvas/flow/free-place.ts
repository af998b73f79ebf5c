import type { Graph } from "@/lib/graph/document";
import { NODE_HEIGHT_PX, NODE_WIDTH_PX } from "./geometry";

type Point = { readonly x: number; readonly y: number };

const GAP_PX = 24;

/** Nearest free place below. */
export const findFreePlace = (graph: Graph, wanted: Point): Point => {
  const isTaken = graph.nodes.some(
    ({ position }) => Math.abs(position.x - wanted.x) < NODE_WIDTH_PX + GAP_PX && Math.abs(position.y - wanted.y) < NODE_HEIGHT_PX + GAP_PX,
  );

  return isTaken ? findFreePlace(graph, { x: wanted.x, y: wanted.y + NODE_HEIGHT_PX + GAP_PX }) : wanted;
};
