/** What the keyboard is on: a node or an edge, on the drawing and in the outline alike. */
import type { CanvasStore } from "@/components/canvas/state/canvas-store";

export type Place = { readonly type: "node" | "edge"; readonly id: string };

const DRAWN: Record<Place["type"], string> = { node: "react-flow__node", edge: "react-flow__edge" };

/** How an element outside the drawing says which place it is: in `data-place`. */
export const placeName = ({ type, id }: Place): string => `${type}:${id}`;

/** The place that an element represents; null for elements inside one, such as a button in a row. */
export const placeOf = (element: Element | null): Place | null => {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return null;
  const { id, place } = element.dataset;
  const [type, name] = place?.split(":") ?? [];
  if ((type === "node" || type === "edge") && name !== undefined) return { type, id: name };
  if (id === undefined) return null;
  if (element.classList.contains(DRAWN.node)) return { type: "node", id };

  return element.classList.contains(DRAWN.edge) ? { type: "edge", id } : null;
};

/** Where a place is on the page now; null when it is not drawn, which far parts of a large graph are not. */
export const findElement = (place: Place): HTMLElement | SVGElement | null =>
  document.querySelector<HTMLElement | SVGElement>(
    `.${DRAWN[place.type]}[data-id="${CSS.escape(place.id)}"], [data-place="${CSS.escape(placeName(place))}"]`,
  );

export const isSamePlace = (a: Place, b: Place): boolean => a.type === b.type && a.id === b.id;

/** The one thing that is selected; null when it is none or several. */
export const getSelectedPlace = (store: CanvasStore): Place | null => {
  const { nodes, edges } = store.getState().selection;
  const places: readonly Place[] = [
    ...nodes.map((id) => ({ type: "node" as const, id })),
    ...edges.map((id) => ({ type: "edge" as const, id })),
  ];
  const [only, another] = places;

  return only && !another ? only : null;
};

/** What a command is about: what has the keyboard, otherwise the one thing that is selected. */
export const placeInHand = (store: CanvasStore): Place | null => placeOf(document.activeElement) ?? getSelectedPlace(store);

export const selectPlace = (store: CanvasStore, { type, id }: Place): void =>
  store.getState().select(type === "node" ? { nodes: [id], edges: [] } : { nodes: [], edges: [id] });
