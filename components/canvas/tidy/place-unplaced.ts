import { LAYOUT_MEASURES } from "@/components/canvas/flow/geometry";
import type { Graph } from "@/lib/graph/document";
import { applyEdit } from "@/lib/graph/edit";
import { layoutOf, layoutTask } from "@/lib/graph/layout";

/** Lays out a graph whose nodes share a spot. */
export const placeUnplaced = (graph: Graph): Graph => {
  const spots = new Set(graph.nodes.map(({ position: { x, y } }) => `${x} ${y}`));
  if (spots.size === graph.nodes.length) return graph;

  return applyEdit(graph, { op: "move_nodes", positions: Object.fromEntries(layoutOf(layoutTask(graph, LAYOUT_MEASURES))) });
};
