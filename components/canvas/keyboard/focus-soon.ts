/** Covers rendering, the URL update and a closing dialog. */
const MAX_FRAMES = 60;

/** Retries each frame. @param attempt returns its success */
export const soon = (attempt: () => boolean, frames = MAX_FRAMES): void => {
  if (!attempt() && frames > 0) requestAnimationFrame(() => soon(attempt, frames - 1));
};

/** Focuses an element that is about to appear. @param find null until then */
export const focusSoon = (find: () => HTMLElement | SVGElement | null): void =>
  soon(() => {
    const element = find();
    // The browser would scroll the canvas frame.
    element?.focus({ preventScroll: true });

    return element !== null;
  });
