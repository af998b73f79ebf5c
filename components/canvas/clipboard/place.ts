import { GRID_PX, NODE_HEIGHT_PX, NODE_WIDTH_PX } from "@/components/canvas/flow/geometry";
import type { Graph } from "@/lib/graph/document";
import type { Fragment } from "@/lib/graph/fragment";

type Point = { readonly x: number; readonly y: number };

const GAP_PX = 24;

const onGrid = ({ x, y }: Point): Point => ({ x: Math.round(x / GRID_PX) * GRID_PX, y: Math.round(y / GRID_PX) * GRID_PX });

const boxOf = ({ nodes }: Pick<Graph, "nodes">) => ({
  left: Math.min(...nodes.map(({ position }) => position.x)),
  top: Math.min(...nodes.map(({ position }) => position.y)),
  bottom: Math.max(...nodes.map(({ position }) => position.y)) + NODE_HEIGHT_PX,
});

/** Nearest free corner at or below the wanted one. */
export const findFreeCorner = (graph: Graph, fragment: Fragment, wanted: Point): Point => {
  const { left, top } = boxOf(fragment);
  const { x, y } = onGrid(wanted);
  const covers = (downPx: number) =>
    fragment.nodes.some(({ position }) =>
      graph.nodes.some(
        (node) =>
          Math.abs(node.position.x - (position.x - left + x)) < NODE_WIDTH_PX &&
          Math.abs(node.position.y - (position.y - top + y + downPx)) < NODE_HEIGHT_PX,
      ),
    );
  let downPx = 0;
  // Terminates below the lowest node.
  while (covers(downPx)) downPx += NODE_HEIGHT_PX + GAP_PX;

  return { x, y: y + downPx };
};

/** Place below the copied nodes. */
export const placeBelowOriginals = (fragment: Fragment): Point => {
  const { left, bottom } = boxOf(fragment);

  return { x: left, y: bottom + GAP_PX };
};
