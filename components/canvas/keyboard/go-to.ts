import type { ReactFlowInstance } from "@xyflow/react";
import { bringIntoView } from "@/components/canvas/flow/bring-into-view";
import type { CanvasStore } from "@/components/canvas/state/canvas-store";
import { runOrder } from "@/lib/graph/run-order";
import { focusSoon } from "./focus-soon";
import { findElement, isSamePlace, getSelectedPlace, selectPlace, type Place } from "./place";

export type GoTools = {
  readonly store: CanvasStore;
  readonly flow: Pick<ReactFlowInstance, "flowToScreenPosition" | "setCenter" | "getZoom">;
};

const isOpenDialog = (): boolean => document.querySelector("[role='dialog'], [role='menu']") !== null;

export const focusPlace = ({ store, flow }: GoTools, place: Place): void => {
  const { nodes, edges } = store.getState().history.document;
  const shown = place.type === "node" ? place.id : edges.find(({ id }) => id === place.id)?.source;
  const node = nodes.find(({ id }) => id === shown);
  if (node && (place.type === "node" || findElement(place) === null)) bringIntoView(flow, node.position);
  focusSoon(() => (isOpenDialog() ? null : findElement(place)));
};

export const goTo = (tools: GoTools, place: Place): void => {
  const selected = getSelectedPlace(tools.store);
  if (!selected || !isSamePlace(selected, place)) selectPlace(tools.store, place);
  focusPlace(tools, place);
};

/** Selected, last or start place; null: empty graph. */
export const findEntrance = (store: CanvasStore, last: Place | null): Place | null => {
  const { selection, history } = store.getState();
  const { nodes, edges } = history.document;
  const isThere = ({ type, id }: Place) => (type === "node" ? nodes : edges).some((item) => item.id === id);
  const [node] = selection.nodes;
  const [edge] = selection.edges;
  const wanted: readonly (Place | null)[] = [
    node === undefined ? null : { type: "node", id: node },
    edge === undefined ? null : { type: "edge", id: edge },
    last,
    { type: "node", id: history.document.start_node },
  ];
  const first = runOrder(history.document).nodes[0];

  return wanted.find((place) => place !== null && isThere(place)) ?? (first ? { type: "node", id: first.id } : null);
};
