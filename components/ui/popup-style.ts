/** The only elevation. */
export const popupStyle =
  "rounded-lg bg-surface p-1 text-sm text-ink shadow-float outline-hidden transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0";

export const itemStyle =
  "relative flex h-8 cursor-default items-center gap-2 rounded-md px-2 outline-hidden select-none data-disabled:text-faint data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0";

/** Behind modal popups. */
export const backdropStyle = "fixed inset-0 z-40 bg-backdrop transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0";
