/** A value as far as this reader may see it. */
import { parsePath, valueAt } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { cellsAt, memoryOf, type Cell } from "@/lib/engine/state";

export type Shown =
  | { readonly kind: "absent" }
  | { readonly kind: "hidden" }
  /** Nobody can see it any more. */
  | { readonly kind: "shredded" }
  | { readonly kind: "value"; readonly value: Json };

export const ABSENT: Shown = { kind: "absent" };
export const HIDDEN: Shown = { kind: "hidden" };
export const SHREDDED: Shown = { kind: "shredded" };

export const shownCell = (cell: Cell): Shown => (cell.content.known ? { kind: "value", value: cell.content.value } : HIDDEN);

/** What stands at a path of memory. One hidden part hides the whole: half a value would look like all of it. */
export const shownAt = (cells: readonly Cell[], path: string): Shown => {
  const found = cellsAt(cells, path);
  if (found.length === 0) return ABSENT;
  if (found.some((cell) => !cell.content.known)) return HIDDEN;
  const value = valueAt(memoryOf(found), parsePath(path) ?? []);

  return value === undefined ? ABSENT : { kind: "value", value };
};
