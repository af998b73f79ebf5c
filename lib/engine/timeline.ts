import { joinLabels, type Label } from "@/lib/graph/label";
import { parsePath, getValueAt } from "@/lib/graph/path";
import { toCanonicalJson, type Json } from "@/lib/json";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { applyRecords } from "@/lib/engine/reduce";
import { findCellsAt, createRunState, toMemory, type Cell, type RunState } from "@/lib/engine/state";

export type LedgerEntry = { readonly signed: SignedRecord; readonly values: readonly (Json | undefined)[] };

export const stateBefore = (first: SignedRecord | undefined): RunState => {
  const record = first?.record;

  return createRunState(record?.workspace ?? "", record?.run ?? "", record?.graph_hash ?? "", record?.policy_hash ?? "");
};

/** Returns the state after `seq`; -1: before the first. */
export const stateAt = (entries: readonly LedgerEntry[], seq: number): RunState =>
  applyRecords(stateBefore(entries[0]?.signed), entries.slice(0, Math.max(0, seq + 1)));

/** One hidden part hides all: partial values would look complete. */
export type Standing = { readonly label: Label; readonly content: Cell["content"] };

export type MemoryChange = {
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
  readonly before: Standing | null;
  readonly after: Standing | null;
};

const standingAt = (cells: readonly Cell[], path: string): Standing | null => {
  const found = findCellsAt(cells, path);
  if (found.length === 0) return null;
  const label = joinLabels(found.map((cell) => cell.label));
  if (found.some((cell) => !cell.content.known)) return { label, content: { known: false } };
  const value = getValueAt(toMemory(found), parsePath(path) ?? []);

  return value === undefined ? null : { label, content: { known: true, value } };
};

const sameLabel = (a: Label, b: Label): boolean => toCanonicalJson(a) === toCanonicalJson(b);

/** Hidden values compare by cell: salts differ. */
const isSame = (before: readonly Cell[], after: readonly Cell[], path: string): boolean => {
  const [was, is] = [standingAt(before, path), standingAt(after, path)];
  if (was === null || is === null) return was === is;
  if (!sameLabel(was.label, is.label)) return false;
  if (was.content.known && is.content.known) return toCanonicalJson(was.content.value) === toCanonicalJson(is.content.value);
  const commitments = (cells: readonly Cell[]) =>
    findCellsAt(cells, path)
      .map((cell) => cell.commitment)
      .join();

  return was.content.known === is.content.known && commitments(before) === commitments(after);
};

/** Returns written paths whose value or label differs. */
export const diffMemory = (before: readonly Cell[], after: readonly Cell[]): readonly MemoryChange[] => {
  const paths = [...new Set([...before, ...after].map((cell) => cell.path))].toSorted();

  return paths.flatMap((path): MemoryChange[] => {
    if (isSame(before, after, path)) return [];
    const [was, is] = [standingAt(before, path), standingAt(after, path)];
    const change = was === null ? "added" : is === null ? "removed" : "changed";

    return [{ path, change, before: was, after: is }];
  });
};
