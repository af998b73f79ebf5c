import type { ReactFlowInstance } from "@xyflow/react";
import { NODE_HEIGHT_PX, NODE_WIDTH_PX } from "./geometry";

type View = Pick<ReactFlowInstance, "flowToScreenPosition" | "setCenter" | "getZoom">;

/** Moves the view unless the node is fully visible. */
export const bringIntoView = (view: View, { x, y }: { readonly x: number; readonly y: number }): void => {
  const pane = document.querySelector(".react-flow")?.getBoundingClientRect();
  if (!pane) return;
  const start = view.flowToScreenPosition({ x, y });
  const end = view.flowToScreenPosition({ x: x + NODE_WIDTH_PX, y: y + NODE_HEIGHT_PX });
  const isSeen = start.x >= pane.left && start.y >= pane.top && end.x <= pane.right && end.y <= pane.bottom;
  if (!isSeen) void view.setCenter(x + NODE_WIDTH_PX / 2, y + NODE_HEIGHT_PX / 2, { zoom: view.getZoom(), duration: 0 });
};
