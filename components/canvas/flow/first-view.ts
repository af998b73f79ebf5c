/** What is seen when a graph opens: all of it, or its start when all of it would be too small to read. */
import type { ReactFlowInstance } from "@xyflow/react";
import { NODE_HEIGHT_PX, NODE_WIDTH_PX, STEP_PX } from "./geometry";
import type { FlowNode } from "./to-flow";
import type { FlowEdge } from "./to-flow-edges";

export const FIT = { padding: 0.12, maxZoom: 1 };

const READABLE_ZOOM = 0.6;
const MARGIN_PX = 32;

type View = {
  /** The node that is put at the left edge when not everything fits. */
  readonly startNode: string;
  /** What the address points at. */
  readonly selected: readonly string[];
};

export const firstView = async (flow: ReactFlowInstance<FlowNode, FlowEdge>, { startNode, selected }: View): Promise<void> => {
  await flow.fitView(FIT);
  const start = flow.getNode(startNode);
  const { zoom, y } = flow.getViewport();
  if (zoom >= READABLE_ZOOM || !start) return;
  const [pointedAt] = selected.flatMap((id) => flow.getNode(id) ?? []);
  if (pointedAt) {
    await flow.setCenter(pointedAt.position.x + NODE_WIDTH_PX / 2, pointedAt.position.y + NODE_HEIGHT_PX / 2, { zoom: READABLE_ZOOM });

    return;
  }
  // The row of the start keeps its height on screen; the view moves to its left end.
  const middleY = (start.position.y + NODE_HEIGHT_PX / 2) * zoom + y;
  await flow.setViewport({
    x: MARGIN_PX - (start.position.x - STEP_PX / 8) * READABLE_ZOOM,
    y: middleY - (start.position.y + NODE_HEIGHT_PX / 2) * READABLE_ZOOM,
    zoom: READABLE_ZOOM,
  });
};
