/** Replays records with the server's reducer. Keeps every 64th state, so any is at most 63 steps away. */
import type { Json } from "@/lib/json";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState, type Cell, type RunState } from "@/lib/engine/state";
import { getOpenedValue } from "@/lib/engine/verify/verify";
import { isInReview, type Entry } from "./entries";

const STRIDE = 64;
const REMEMBERED = 16;

/** By seq. */
export type Tracks = {
  readonly costMicroUsd: readonly number[];
  readonly tokens: readonly number[];
  /** Untrusted memory cells. */
  readonly tainted: readonly number[];
  /** First record that entered each node of the outermost graph. */
  readonly entered: ReadonlyMap<string, number>;
  /** First record that took each edge, by `source target`. */
  readonly ways: ReadonlyMap<string, number>;
  /** Records that wrote each ledger path, oldest first. */
  readonly writes: ReadonlyMap<string, readonly number[]>;
};

export type Timeline = {
  /** State after `seq`, up to `reach`; -1: initial. No hidden values. */
  stateAt(seq: number): RunState;
  reach(): number;
  readonly tracks: Tracks;
};

export type Replay = Timeline & {
  /** Replays in order until `isOver`. @returns whether records are left */
  extend(entries: readonly (Entry | undefined)[], isOver: () => boolean): boolean;
};

const valuesOf = (entry: Entry): (Json | undefined)[] => {
  const values: (Json | undefined)[] = [];
  for (const cell of entry.cells) values[cell.index] = getOpenedValue(cell);

  return values;
};

/** Adds the reason to hidden cells. */
const withReasons = (cells: readonly Cell[], entry: Entry): readonly Cell[] =>
  cells.map((cell) =>
    cell.seq === entry.seq && entry.cells.some(({ index, withheld }) => index === cell.index && withheld === "review")
      ? { ...cell, content: { known: false, why: "review" } }
      : cell,
  );

const step = (state: RunState, entry: Entry): RunState => {
  const { record, digest, kid, signature } = entry;
  if (!record) return state;
  // Only the runner needs `proposals`; copying it per record is wasteful.
  const after = { ...applyRecord(state, { record, digest, kid, signature }, valuesOf(entry)), proposals: {} };

  return isInReview(entry) ? { ...after, cells: withReasons(after.cells, entry), aside: withReasons(after.aside, entry) } : after;
};

const startOf = (first: Entry | undefined): RunState => {
  const record = first?.record;

  return createRunState(record?.workspace ?? "", record?.run ?? "", record?.graph_hash ?? "", record?.policy_hash ?? "");
};

const untrusted = (cells: readonly Cell[]): number => cells.filter(({ label }) => label.integrity === "untrusted").length;

const outermost = ({ frames, currentNode }: RunState): string | null => frames[0]?.node ?? currentNode;

const noteFirst = (known: Map<string, number>, key: string, seq: number): void => {
  if (!known.has(key)) known.set(key, seq);
};

/** Empty replay. */
export const makeReplay = (): Replay => {
  /** `kept[i]` is the state before record `i * STRIDE`. */
  const kept: RunState[] = [];
  const passed: Entry[] = [];
  const recent = new Map<number, RunState>();
  const tracks = {
    costMicroUsd: [] as number[],
    tokens: [] as number[],
    tainted: [] as number[],
    entered: new Map<string, number>(),
    ways: new Map<string, number>(),
    writes: new Map<string, number[]>(),
  };
  let last = startOf(undefined);
  /** Most records don't change memory. */
  let counted = { cells: last.cells, tainted: 0 };

  const noteWrites = ({ record, seq }: Entry): void => {
    if (record?.kind !== "transition") return;
    for (const { path } of record.writes) {
      const seqs = tracks.writes.get(path);
      if (path.startsWith("$") || seqs?.at(-1) === seq) continue;
      if (seqs) seqs.push(seq);
      else tracks.writes.set(path, [seq]);
    }
  };
  const note = (entry: Entry, before: RunState, after: RunState): void => {
    const { seq } = entry;
    const [from, to] = [outermost(before), outermost(after)];
    if (counted.cells !== after.cells) counted = { cells: after.cells, tainted: untrusted(after.cells) };
    tracks.costMicroUsd.push(after.costMicroUsd);
    tracks.tokens.push(after.totalTokens);
    tracks.tainted.push(counted.tainted + after.frames.reduce((sum, { outer }) => sum + untrusted(outer.cells), 0));
    if (to !== null) noteFirst(tracks.entered, to, seq);
    if (from !== null && to !== null && before.activation !== after.activation) noteFirst(tracks.ways, `${from} ${to}`, seq);
    noteWrites(entry);
  };
  const remember = (count: number, state: RunState): RunState => {
    recent.delete(count);
    recent.set(count, state);
    const [oldest] = recent.keys();
    if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest);

    return state;
  };
  const stateAfter = (count: number): RunState => {
    const known = count === passed.length ? last : recent.get(count);
    if (known) return known;
    const from = Math.floor(count / STRIDE);
    const nearest = recent.get(count - 1);
    const state = nearest
      ? passed.slice(count - 1, count).reduce(step, nearest)
      : passed.slice(from * STRIDE, count).reduce(step, kept[from] ?? startOf(passed[0]));

    return remember(count, state);
  };

  return {
    tracks,
    reach: () => passed.length,
    stateAt: (seq) => stateAfter(Math.max(0, Math.min(seq + 1, passed.length))),
    extend: (entries, isOver) => {
      for (let entry = entries[passed.length]; entry; entry = entries[passed.length]) {
        if (isOver()) return true;
        if (passed.length === 0) last = startOf(entry);
        if (passed.length % STRIDE === 0) kept.push(last);
        const before = last;
        last = step(before, entry);
        passed.push(entry);
        note(entry, before, last);
      }

      return false;
    },
  };
};

/** Replays a complete list. */
export const makeTimeline = (entries: readonly Entry[]): Timeline => {
  const replay = makeReplay();
  replay.extend(entries, () => false);

  return replay;
};
