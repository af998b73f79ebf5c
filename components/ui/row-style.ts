export const rowStyle = "flex items-center gap-3 px-3 py-2 text-sm transition-colors hover:bg-hover focus-visible:-outline-offset-2";

export const moreStyle = "text-xs text-muted underline-offset-2 hover:text-ink hover:underline";
