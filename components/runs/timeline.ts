/** The state after any record, by the same reduce as on the server. */
import type { Json } from "@/lib/json";
import { applyRecord } from "@/lib/engine/reduce";
import { emptyState, type RunState } from "@/lib/engine/state";
import { openedValue } from "@/lib/engine/verify";
import type { Entry } from "./entries";

/** Between two kept states at most this many records are replayed. */
const STRIDE = 64;

export type Timeline = {
  /** The state after the record `seq`; -1: before the first. Values that may not be seen are not in it. */
  stateAt(seq: number): RunState;
};

const valuesOf = (entry: Entry): (Json | undefined)[] => {
  const values: (Json | undefined)[] = [];
  for (const cell of entry.cells) values[cell.index] = openedValue(cell);

  return values;
};

const step = (state: RunState, entry: Entry): RunState => {
  const { record, digest, kid, signature } = entry;
  if (!record) return state;

  // Only the runner asks which record a proposal became; kept here, the table would be copied for every record.
  return { ...applyRecord(state, { record, digest, kid, signature }, valuesOf(entry)), proposals: {} };
};

export const makeTimeline = (entries: readonly Entry[]): Timeline => {
  const first = entries[0]?.record;
  const start = emptyState(first?.workspace ?? "", first?.run ?? "", first?.graph_hash ?? "", first?.policy_hash ?? "");
  /** `kept[i]` is the state before the record at `i * STRIDE`. */
  const kept: RunState[] = [start];

  return {
    stateAt: (seq) => {
      const count = Math.max(0, Math.min(seq + 1, entries.length));
      const target = Math.floor(count / STRIDE);
      for (let index = kept.length; index <= target; index += 1) {
        const before = kept[index - 1] ?? start;
        kept[index] = entries.slice((index - 1) * STRIDE, index * STRIDE).reduce(step, before);
      }

      return entries.slice(target * STRIDE, count).reduce(step, kept[target] ?? start);
    },
  };
};
