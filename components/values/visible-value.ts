/** Values visible to the reader. */
import { parsePath, getValueAt } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { getOpenedValue, type StoredCell } from "@/lib/engine/verify/verify";
import { findCellsAt, toMemory, type Cell } from "@/lib/engine/state";

/** `withheld`: in an open review case. */
export type EntryCell = StoredCell & { readonly withheld?: "review" };

export type Shown =
  | { readonly kind: "absent" }
  /** `why`: under review; others are above the reader's clearance. */
  | { readonly kind: "hidden"; readonly why?: "review" }
  | { readonly kind: "shredded" }
  | { readonly kind: "value"; readonly value: Json };

/** Placeholder of a hidden value. */
export const describeHidden = (shown: Extract<Shown, { kind: "hidden" | "shredded" }>): string => {
  if (shown.kind === "shredded") return "shredded";

  return shown.why === "review" ? "in review" : "hidden from your role";
};

export const ABSENT: Shown = { kind: "absent" };
export const HIDDEN: Shown = { kind: "hidden" };
export const IN_REVIEW: Shown = { kind: "hidden", why: "review" };
export const SHREDDED: Shown = { kind: "shredded" };

export const toShown = ({ content }: Pick<Cell, "content">): Shown => {
  if (content.known) return { kind: "value", value: content.value };

  return content.why === "review" ? IN_REVIEW : HIDDEN;
};

/** Converts a stored cell. */
export const toShownEntry = (cell: EntryCell | undefined): Shown => {
  if (cell?.opened === "shredded") return SHREDDED;
  const value = cell && getOpenedValue(cell);
  if (value !== undefined) return { kind: "value", value };

  return cell?.withheld === "review" ? IN_REVIEW : HIDDEN;
};

/** Value at a path; one hidden part hides all, because a partial value looks complete. */
export const getShownAt = (cells: readonly Cell[], path: string): Shown => {
  const found = findCellsAt(cells, path);
  if (found.length === 0) return ABSENT;
  const hidden = found.filter((cell) => !cell.content.known).map(toShown);
  if (hidden.length > 0) return hidden.find((shown) => shown === HIDDEN) ?? IN_REVIEW;
  const value = getValueAt(toMemory(found), parsePath(path) ?? []);

  return value === undefined ? ABSENT : { kind: "value", value };
};
