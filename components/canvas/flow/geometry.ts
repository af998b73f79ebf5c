/** Every node has the same size and the same two handles, so that the canvas can leave out what is not in view. */
export const NODE_WIDTH_PX = 224;
export const NODE_HEIGHT_PX = 72;
export const HANDLE_PX = 10;
export const GRID_PX = 8;
/** How far a new node is put from the one it comes after. */
export const STEP_PX = 280;
export const MIN_ZOOM = 0.1;
