import type { CanvasTools } from "@/components/canvas/commands/canvas-tools";
import { NODE_HEIGHT_PX, NODE_WIDTH_PX } from "@/components/canvas/flow/geometry";
import { findElement } from "@/components/canvas/keyboard/place";
import type { Hit } from "@/lib/graph/find";

export const showHit = (
  { store, flow, setPlace }: Pick<CanvasTools, "store" | "flow" | "setPlace">,
  { type, id }: Pick<Hit, "type" | "id">,
): void => {
  const { history, select } = store.getState();
  if (type === "key") {
    select({ nodes: [], edges: [] });
    void setPlace({ key: id, panel: "memory" });

    return;
  }
  select(type === "node" ? { nodes: [id], edges: [] } : { nodes: [], edges: [id] });
  const edge = history.document.edges.find((each) => type === "edge" && each.id === id);
  const ends = edge ? [edge.source, edge.target] : [id];
  const places = history.document.nodes.filter((node) => ends.includes(node.id)).map(({ position }) => position);
  const middle = (axis: "x" | "y") => places.reduce((sum, place) => sum + place[axis], 0) / Math.max(1, places.length);
  void flow.setCenter(middle("x") + NODE_WIDTH_PX / 2, middle("y") + NODE_HEIGHT_PX / 2, {
    zoom: Math.max(flow.getZoom(), 0.6),
    duration: 0,
  });
  // The outline scrolls instead.
  requestAnimationFrame(() => findElement({ type, id })?.scrollIntoView({ block: "nearest" }));
};
