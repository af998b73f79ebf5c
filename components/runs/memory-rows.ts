/** Memory as rows: one for each cell that still shows, by path. */
import type { Label } from "@/lib/graph/label";
import type { Cell, RunState } from "@/lib/engine/state";
import { shownCell, type Shown } from "./shown";

export type MemoryRow = { readonly id: string; readonly path: string; readonly seq: number; readonly label: Label; readonly shown: Shown };

const rowOf = (cell: Cell): MemoryRow => ({
  id: `${cell.seq}.${cell.index}`,
  path: cell.path,
  seq: cell.seq,
  label: cell.label,
  shown: shownCell(cell),
});

const byPath = (a: MemoryRow, b: MemoryRow): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.seq - b.seq);

export const memoryRows = (state: RunState): MemoryRow[] => state.cells.map(rowOf).toSorted(byPath);

/** The engine's own cells, newest first: threads, results, what waits. */
export const asideRows = (state: RunState): MemoryRow[] => state.aside.map(rowOf).toReversed();
