import { stripPrefix } from "@/lib/engine/frame";
import type { RunState } from "@/lib/engine/state";
import { listCellsBeside } from "@/components/runs/places";
import { getShownAt, type Shown } from "@/components/values/visible-value";
import type { Tracks } from "@/components/runs/timeline";
import { touches } from "./filters";

/** More would leave no room for the panes. */
export const MOST_PINS = 8;

export type PinnedPath = {
  readonly path: string;
  readonly shown: Shown;
  readonly writtenAt: number | null;
  readonly previous: number | null;
  readonly next: number | null;
};

/** Records that change a path, oldest first. @param path in ledger form */
export const listChanges = (writes: Tracks["writes"], path: string): readonly number[] => {
  const seqs = [...writes].flatMap(([written, at]) => (touches(written, path) ? at : []));

  return [...new Set(seqs)].toSorted((a, b) => a - b);
};

/** @param changes from `listChanges` */
export const getPinnedAt = (path: string, changes: readonly number[], state: RunState, seq: number): PinnedPath => {
  const writtenAt = changes.findLast((at) => at <= seq) ?? null;

  return {
    path,
    shown: getShownAt(listCellsBeside(state, path), stripPrefix(path)),
    writtenAt,
    previous: changes.findLast((at) => at < seq) ?? null,
    next: changes.find((at) => at > seq) ?? null,
  };
};
