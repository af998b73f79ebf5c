/** Screen coordinates. */
export const getCanvasMiddle = (): { readonly x: number; readonly y: number } => {
  const pane = document.querySelector(".react-flow")?.getBoundingClientRect();

  return pane ? { x: pane.x + pane.width / 2, y: pane.y + pane.height / 2 } : { x: 0, y: 0 };
};
