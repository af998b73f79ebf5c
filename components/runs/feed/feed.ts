/** Loads records in pages: the selected one, then from the start. */
import { endsReview, parseEntriesWith, isInReview, recordIn, type Entry, type LedgerBatch } from "@/components/runs/entries";
import type { NodeNames } from "@/components/runs/node-names";
import { trackPlaces, type Place } from "@/lib/engine/frame";
import { summarize, type RecordSummary } from "@/components/runs/record-summary";
import { makeReplay, type Timeline } from "@/components/runs/timeline";
import type { Parser } from "./parser";
import { getFirstRange, getNextRange, PAGE } from "./ranges";

export type SourcePage = LedgerBatch & { readonly head: { readonly version: number } };

/** Server or file. */
export type RecordSource = {
  page(from: number, count: number, signal: AbortSignal): Promise<SourcePage>;
};

export type FeedState = {
  /** By seq; gaps are not loaded. */
  readonly entries: readonly (Entry | undefined)[];
  readonly rows: readonly (RecordSummary | undefined)[];
  /** The known number of records. */
  readonly total: number;
  readonly reach: number;
  readonly timeline: Timeline;
  /** Retried until null. */
  readonly error: unknown;
};

export type Feed = {
  readonly state: () => FeedState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Loads this record's page next. */
  want(seq: number): void;
  grow(total: number): void;
  rename(names: NodeNames): void;
  /** @returns a stop function */
  start(): () => void;
};

/** The server works while a page is parsed. */
const AT_ONCE = 2;
/** Under half a frame, so that input never waits. */
const SLICE_MS = 7;
const TELL_MS = { soon: 16, later: 150 } as const;
/** Fewer remaining records are shown without batching. */
const SHORT = 200;
const RETRY_MS = { least: 1_000, most: 15_000 } as const;

type Options = {
  readonly source: RecordSource;
  readonly parser: Parser;
  readonly names: NodeNames;
  readonly total: number;
  readonly want: number;
  /** Rendered immediately. */
  readonly first?: SourcePage | undefined;
};

export const makeFeed = ({ source, parser, names: given, total: known, want: wanted, first }: Options): Feed => {
  let replay = makeReplay();
  const listeners = new Set<() => void>();
  const inFlight = new Set<number>();
  const entries: (Entry | undefined)[] = [];
  const rows: (RecordSummary | undefined)[] = [];
  /** Subgraph position before record `placed`. */
  let places: readonly Place[] = [];
  let placed = 0;
  let names = given;
  let total = Math.max(known, first?.head.version ?? 0);
  let want = wanted;
  let delayMs: number = RETRY_MS.least;
  let error: unknown = null;
  let stopped = new AbortController();
  let isTold = true;
  let isReplaying = false;
  /** Rows after a gap get subgraphs once it closes. */
  const place = (): void => {
    for (let entry = entries[placed]; entry; entry = entries[placed]) {
      rows[placed] = summarize(entry, names, places);
      places = (entry.record?.control ?? []).reduce(trackPlaces, places);
      placed += 1;
    }
  };
  /** Values under review are requested again. */
  const again = new Set<number>();
  /** Last record that ended a review. */
  let ended = -1;
  /** @param version of the run when read */
  const keep = (fresh: readonly Entry[], version: number): void => {
    if (fresh.some((entry) => endsReview(entry) && !entries[entry.seq])) {
      for (const entry of entries) if (entry && isInReview(entry)) again.add(entry.seq);
    }
    if (fresh.some((entry) => again.has(entry.seq))) replay = makeReplay();
    for (const entry of fresh) {
      if (entries[entry.seq] && !again.delete(entry.seq)) continue;
      if (endsReview(entry)) ended = Math.max(ended, entry.seq);
      entries[entry.seq] = entry;
      rows[entry.seq] = summarize(entry, names, []);
      // Read before the review ended.
      if (isInReview(entry) && version <= ended) again.add(entry.seq);
    }
    place();
  };
  const seen = (): FeedState => ({ entries: entries.slice(), rows: rows.slice(), total, reach: replay.reach(), timeline: replay, error });

  // Faster than starting a worker.
  if (first) keep(parseEntriesWith(first, first.records.map(recordIn)), first.head.version);
  let current: FeedState = seen();

  const tell = (): void => {
    if (!isTold) return;
    isTold = false;
    // Batched: rendering costs more than loading. Short runs render at once.
    const isShort = current.rows.length === 0 || total - replay.reach() < SHORT;
    setTimeout(
      () => {
        isTold = true;
        current = seen();
        for (const listener of listeners) listener();
      },
      isShort ? TELL_MS.soon : TELL_MS.later,
    );
  };
  const replaySlice = (): void => {
    if (stopped.signal.aborted) {
      isReplaying = false;

      return;
    }
    const until = performance.now() + SLICE_MS;
    isReplaying = replay.extend(entries, () => performance.now() >= until);
    tell();
    if (isReplaying) setTimeout(replaySlice);
  };
  const goThrough = (): void => {
    tell();
    if (isReplaying) return;
    isReplaying = true;
    setTimeout(replaySlice);
  };
  const load = async (from: number, count: number): Promise<void> => {
    const { signal } = stopped;
    const page = Math.floor(from / PAGE);
    inFlight.add(page);
    try {
      const answer = await source.page(from, count, signal);
      const fresh = await parser.parse(answer);
      if (signal.aborted) return;
      // An immediate retry would loop.
      if (fresh.length === 0) throw new Error("the records that there should be are not there");
      total = Math.max(total, answer.head.version);
      [error, delayMs] = [null, RETRY_MS.least];
      keep(fresh, answer.head.version);
      goThrough();
      inFlight.delete(page);
      pump();
    } catch (failure) {
      inFlight.delete(page);
      if (signal.aborted) return;
      error = failure;
      tell();
      setTimeout(pump, delayMs);
      delayMs = Math.min(delayMs * 2, RETRY_MS.most);
    }
  };
  const pump = (): void => {
    if (stopped.signal.aborted || inFlight.size >= AT_ONCE) return;
    const range = getNextRange({
      has: (seq) => entries[seq] !== undefined && !again.has(seq),
      total,
      want,
      isBusy: (page) => inFlight.has(page),
    });
    if (!range) return;
    void load(range.from, range.count);
    // Two requests in one tick would be batched and delay the first rows.
    setTimeout(pump);
  };

  return {
    state: () => current,
    subscribe: (listener) => {
      listeners.add(listener);

      return () => listeners.delete(listener);
    },
    want: (seq) => {
      want = seq;
      pump();
    },
    grow: (version) => {
      if (version <= total) return;
      total = version;
      tell();
      pump();
    },
    rename: (changed) => {
      if (changed === names) return;
      names = changed;
      [placed, places] = [0, []];
      for (const [seq, entry] of entries.entries()) if (entry) rows[seq] = summarize(entry, names, []);
      place();
      tell();
    },
    start: () => {
      stopped = new AbortController();
      inFlight.clear();
      if (total > 0 && rows.length === 0) {
        const { from, count } = getFirstRange(want, total);
        void load(from, count);
      } else {
        goThrough();
        pump();
      }

      return () => {
        stopped.abort();
        parser.close();
      };
    },
  };
};
