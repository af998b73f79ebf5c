/** A line of a list that leads somewhere. */
export const rowStyle = "flex items-center gap-3 px-3 py-2 text-sm transition-colors hover:bg-hover focus-visible:-outline-offset-2";

/** The link in the corner of a panel. */
export const moreStyle = "text-xs text-muted underline-offset-2 hover:text-ink hover:underline";
