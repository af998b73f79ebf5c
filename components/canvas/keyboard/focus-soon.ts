/** Long enough for React to draw, for the address to be read back and for a dialog to fade; then nothing is waited for any more. */
const MAX_FRAMES = 60;

/** Does what depends on what the page is about to show. @param attempt whether it could be done */
export const soon = (attempt: () => boolean, frames = MAX_FRAMES): void => {
  if (!attempt() && frames > 0) requestAnimationFrame(() => soon(attempt, frames - 1));
};

/** Focuses what the page is about to show. @param find null as long as it is not there */
export const focusSoon = (find: () => HTMLElement | SVGElement | null): void =>
  soon(() => {
    const element = find();
    // The browser would scroll the frame of the drawing; the drawing moves itself.
    element?.focus({ preventScroll: true });

    return element !== null;
  });
