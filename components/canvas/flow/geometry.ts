/** Uniform nodes let the canvas cull hidden ones. */
export const NODE_WIDTH_PX = 224;
export const NODE_HEIGHT_PX = 72;
export const HANDLE_PX = 10;
export const GRID_PX = 8;
/** Distance to the next node. */
export const STEP_PX = 280;
export const MIN_ZOOM = 0.1;
/** Titles are under 4 px below it, so nodes are plain boxes: hundreds may be in view. */
const FAR_ZOOM = 0.3;

/** Selects from the drawing's state. */
export const isFarAway = ({ transform: [, , zoom] }: { readonly transform: readonly [number, number, number] }): boolean => zoom < FAR_ZOOM;

/** For the auto-layout; the room is a laptop's canvas between its panels. */
export const LAYOUT_MEASURES = {
  size: { widthPx: NODE_WIDTH_PX, heightPx: NODE_HEIGHT_PX },
  gridPx: GRID_PX,
  room: { widthPx: 720, heightPx: 640 },
} as const;
