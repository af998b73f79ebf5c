/** Memory rows by path, one per visible cell. */
import { INTEGRITIES, type Integrity, type Label } from "@/lib/graph/label";
import type { Cell, RunState } from "@/lib/engine/state";
import { toShown, type Shown } from "@/components/values/visible-value";

export type MemoryRow = {
  readonly id: string;
  readonly path: string;
  readonly seq: number;
  readonly index: number;
  readonly label: Label;
  readonly shown: Shown;
};

const rowOf = (cell: Cell): MemoryRow => ({
  id: `${cell.seq}.${cell.index}`,
  path: cell.path,
  seq: cell.seq,
  index: cell.index,
  label: cell.label,
  shown: toShown(cell),
});

const byPath = (a: MemoryRow, b: MemoryRow): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.seq - b.seq);

export const listMemoryRows = (state: RunState): MemoryRow[] => state.cells.map(rowOf).toSorted(byPath);

export type MemoryZone = { readonly integrity: Integrity; readonly rows: readonly MemoryRow[] };

/** Rows by trust, most trusted first, no empty groups. */
export const listZones = (rows: readonly MemoryRow[]): MemoryZone[] =>
  INTEGRITIES.toReversed().flatMap((integrity) => {
    const inside = rows.filter((row) => row.label.integrity === integrity);

    return inside.length === 0 ? [] : [{ integrity, rows: inside }];
  });

/** Engine cells (threads, results, pending items), newest first. */
export const listAsideRows = (state: RunState, most = state.aside.length): MemoryRow[] =>
  state.aside
    .slice(Math.max(0, state.aside.length - most))
    .map(rowOf)
    .toReversed();
