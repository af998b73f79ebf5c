/**
 * The records of a run as far as they are here: in pages, the one that is looked at first and then from the first on. Whatever
 * is new is added to what was there; nothing is ever taken away while more is fetched.
 */
import { endsReview, entriesWith, isInReview, recordIn, type Entry, type LedgerBatch } from "@/components/runs/entries";
import { placesAfter, type NodeNames, type Place } from "@/components/runs/node-names";
import { summarize, type RecordSummary } from "@/components/runs/record-summary";
import { makeReplay, type Timeline } from "@/components/runs/timeline";
import type { Parser } from "./parser";
import { firstRange, nextRange, PAGE } from "./ranges";

export type SourcePage = LedgerBatch & { readonly head: { readonly version: number } };

/** Where records come from: the server, or a file. */
export type RecordSource = {
  /** At most `count` records from the seq `from` on. */
  page(from: number, count: number, signal: AbortSignal): Promise<SourcePage>;
};

export type FeedState = {
  /** By seq; what is not here yet is a gap. */
  readonly entries: readonly (Entry | undefined)[];
  readonly rows: readonly (RecordSummary | undefined)[];
  /** How many records there are, as far as is known. */
  readonly total: number;
  /** How many the timeline has gone through. */
  readonly reach: number;
  readonly timeline: Timeline;
  /** Pages cannot be had; it is tried again. Null: they can. */
  readonly error: unknown;
};

export type Feed = {
  readonly state: () => FeedState;
  readonly subscribe: (listener: () => void) => () => void;
  /** The record that is looked at: its page comes next. */
  want(seq: number): void;
  /** There are this many records now. */
  grow(total: number): void;
  rename(names: NodeNames): void;
  /** Starts fetching; what it returns stops it. */
  start(): () => void;
};

/** A page in flight keeps the server at work while another one is read here. */
const AT_ONCE = 2;
/** Less than half of a frame, so that a key or the scroll wheel never waits. */
const SLICE_MS = 7;
/** How long what is new waits for more of it. */
const TELL_MS = { soon: 16, later: 150 } as const;
/** Records that are gone through before anybody could look. */
const SHORT = 200;
const RETRY_MS = { least: 1_000, most: 15_000 } as const;

type Options = {
  readonly source: RecordSource;
  readonly parser: Parser;
  readonly names: NodeNames;
  readonly total: number;
  readonly want: number;
  /** What came with the page itself: its rows are there at once. */
  readonly first?: SourcePage | undefined;
};

export const makeFeed = ({ source, parser, names: given, total: known, want: wanted, first }: Options): Feed => {
  let replay = makeReplay();
  const listeners = new Set<() => void>();
  const inFlight = new Set<number>();
  const entries: (Entry | undefined)[] = [];
  const rows: (RecordSummary | undefined)[] = [];
  /** Where the run is before the record `placed`, up to which there is no gap. */
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
  /** Rows after a gap do not know yet which subgraphs they lie in; once the gap is closed they are made again. */
  const place = (): void => {
    for (let entry = entries[placed]; entry; entry = entries[placed]) {
      rows[placed] = summarize(entry, names, places);
      places = (entry.record?.control ?? []).reduce(placesAfter, places);
      placed += 1;
    }
  };
  /** What was kept from its reader while it was under review is asked for again, and gone through again. */
  const again = new Set<number>();
  /** The last record that ended a review. */
  let ended = -1;
  /** @param version how far the run was when this was read */
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
      // Read before the review ended, and here after it.
      if (isInReview(entry) && version <= ended) again.add(entry.seq);
    }
    place();
  };
  const seen = (): FeedState => ({ entries: entries.slice(), rows: rows.slice(), total, reach: replay.reach(), timeline: replay, error });

  // So few are read at once, in less time than a worker takes to start.
  if (first) keep(entriesWith(first, first.records.map(recordIn)), first.head.version);
  let current: FeedState = seen();

  const tell = (): void => {
    if (!isTold) return;
    isTold = false;
    // Several pages and slices are one change of the screen, which costs more than they do; what is short is shown at once.
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
      // Asked for again at once, they would be asked for without an end.
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
    const range = nextRange({
      has: (seq) => entries[seq] !== undefined && !again.has(seq),
      total,
      want,
      isBusy: (page) => inFlight.has(page),
    });
    if (!range) return;
    void load(range.from, range.count);
    // Not at once: two requests in one turn would become one, and the first rows would wait for both.
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
        const { from, count } = firstRange(want, total);
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
