/** Long enough for React to draw and for the address to be read back; then nothing is waited for any more. */
const MAX_FRAMES = 30;

/** Focuses what the page is about to show. @param find null as long as it is not there */
export const focusSoon = (find: () => HTMLElement | SVGElement | null, frames = MAX_FRAMES): void => {
  const element = find();
  // The browser would scroll the frame of the drawing; the drawing moves itself.
  if (element) element.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusSoon(find, frames - 1));
};
