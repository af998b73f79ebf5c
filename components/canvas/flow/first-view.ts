/** Initial view: the whole graph, or its start if illegible. */
import { getViewportForBounds, type ReactFlowInstance, type Viewport } from "@xyflow/react";
import { MIN_ZOOM, NODE_HEIGHT_PX, NODE_WIDTH_PX, STEP_PX } from "./geometry";
import type { FlowNode } from "./to-flow";
import type { FlowEdge } from "./to-flow-edges";

export const FIT = { padding: 0.12, maxZoom: 1 };

const READABLE_ZOOM = 0.6;
const MARGIN_PX = 32;

type Size = { readonly width: number; readonly height: number };

type View = {
  /** Placed at the left edge when not everything fits. */
  readonly startNode: string;
  /** Selected in the URL. */
  readonly selected: readonly string[];
};

/** Trying a whole large view would mount all of it. */
const viewOf = (flow: ReactFlowInstance<FlowNode, FlowEdge>, { width, height }: Size, { startNode, selected }: View): Viewport => {
  const bounds = flow.getNodesBounds(flow.getNodes());
  const whole = getViewportForBounds(bounds, width, height, MIN_ZOOM, FIT.maxZoom, FIT.padding);
  const start = flow.getNode(startNode);
  if (whole.zoom >= READABLE_ZOOM || !start) return whole;
  const zoom = READABLE_ZOOM;
  const [pointedAt] = selected.flatMap((id) => flow.getNode(id) ?? []);
  if (pointedAt) {
    const { x, y } = pointedAt.position;

    return { x: width / 2 - (x + NODE_WIDTH_PX / 2) * zoom, y: height / 2 - (y + NODE_HEIGHT_PX / 2) * zoom, zoom };
  }
  const middleY = start.position.y + NODE_HEIGHT_PX / 2;

  // The start keeps its row; the view is at its left end.
  return { x: MARGIN_PX - (start.position.x - STEP_PX / 8) * zoom, y: middleY * whole.zoom + whole.y - middleY * zoom, zoom };
};

export const showFirstView = async (flow: ReactFlowInstance<FlowNode, FlowEdge>, size: Size, view: View): Promise<void> => {
  if (flow.getNodes().length > 0) await flow.setViewport(viewOf(flow, size, view));
};
