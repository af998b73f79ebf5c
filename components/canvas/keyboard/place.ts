import type { CanvasStore } from "@/components/canvas/state/canvas-store";

export type Place = { readonly type: "node" | "edge"; readonly id: string };

const DRAWN: Record<Place["type"], string> = { node: "react-flow__node", edge: "react-flow__edge" };

/** Value of `data-place` outside the canvas. */
export const placeName = ({ type, id }: Place): string => `${type}:${id}`;

/** Null for elements inside a place, such as row buttons. */
export const placeOf = (element: Element | null): Place | null => {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return null;
  const { id, place } = element.dataset;
  const [type, name] = place?.split(":") ?? [];
  if ((type === "node" || type === "edge") && name !== undefined) return { type, id: name };
  if (id === undefined) return null;
  if (element.classList.contains(DRAWN.node)) return { type: "node", id };

  return element.classList.contains(DRAWN.edge) ? { type: "edge", id } : null;
};

/** Null: not rendered, as far parts of large graphs. */
export const findElement = (place: Place): HTMLElement | SVGElement | null =>
  document.querySelector<HTMLElement | SVGElement>(
    `.${DRAWN[place.type]}[data-id="${CSS.escape(place.id)}"], [data-place="${CSS.escape(placeName(place))}"]`,
  );

export const isSamePlace = (a: Place, b: Place): boolean => a.type === b.type && a.id === b.id;

export const getSelectedPlace = (store: CanvasStore): Place | null => {
  const { nodes, edges } = store.getState().selection;
  const places: readonly Place[] = [
    ...nodes.map((id) => ({ type: "node" as const, id })),
    ...edges.map((id) => ({ type: "edge" as const, id })),
  ];
  const [only, another] = places;

  return only && !another ? only : null;
};

/** The focused place, or the only selected one. */
export const placeInHand = (store: CanvasStore): Place | null => placeOf(document.activeElement) ?? getSelectedPlace(store);

export const selectPlace = (store: CanvasStore, { type, id }: Place): void =>
  store.getState().select(type === "node" ? { nodes: [id], edges: [] } : { nodes: [], edges: [id] });
