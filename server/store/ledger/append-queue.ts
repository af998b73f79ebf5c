/**
 * Group commit: rows from one turn of the event loop, or from the time of a statement, are stored together in the next. Rows wait no longer
 * than that, and do not wait for a long statement while another may run beside it. Many small statements would cost more than few large
 * ones. Rows of one key are stored in order and never by two statements at once, since each needs its predecessor.
 */
import pg from "pg";

const MAX_ROWS = 256;
/** One large value must not delay the others. */
const MAX_CHARS = 4_000_000;

type Waiting<T, R> = {
  readonly row: T;
  readonly resolve: (result: R | null) => void;
  readonly reject: (error: unknown) => void;
};

/** Consecutive rows of one key, written atomically. */
type Series<T, R> = readonly Waiting<T, R>[];

/** A lost connection or a stopping server: the outcome is unknown. */
const UNKNOWN_OUTCOME = /^(?:08|57P|58)/u;

/** The database rejected everything. Recognised by code, since severities are localised. */
const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !UNKNOWN_OUTCOME.test(error.code);

export type AppendOrder<T> = {
  /** Concurrent statements beside long ones. */
  readonly atOnce: number;
  /** When a statement counts as long. */
  readonly longMs: number;
  /** How large a row is. */
  readonly charsOf: (row: T) => number;
  readonly keyOf: (row: T) => string;
  /** Whether `row` may share a statement with `before`, its key's previous row. */
  readonly follows: (before: T, row: T) => boolean;
};

/**
 * @param store stores series atomically each, returning answers by position without unwritten ones; a thrown rejection means nothing was
 * written
 * @returns a function resolving to its series' answer, or null when unwritten
 */
export const appendQueue = <T, R>(
  store: (series: readonly (readonly T[])[]) => Promise<ReadonlyMap<number, R>>,
  { atOnce, longMs, charsOf, keyOf, follows }: AppendOrder<T>,
): ((row: T) => Promise<R | null>) => {
  const waiting = new Map<string, Series<T, R>>();
  const busy = new Set<string>();
  let underWay = 0;
  /** Long statements under way. */
  let long = 0;
  let isCalled = false;

  const most = (): number => Math.min(atOnce, long + 1);

  const send = async (batch: readonly Series<T, R>[]): Promise<void> => {
    try {
      const written = await store(batch.map((series) => series.map(({ row }) => row)));
      batch.forEach((series, place) => series.forEach(({ resolve }) => resolve(written.get(place) ?? null)));
    } catch (error) {
      // A rejected row must not affect its neighbours or predecessors.
      const [first = []] = batch;
      const parts = batch.length > 1 ? batch : first.map((one) => [one]);
      if (parts.length > 1 && isRefused(error)) for (const part of parts) await send([part]);
      else for (const { reject } of batch.flat()) reject(error);
    }
  };

  /** Takes one statement's rows, of keys not under way; the rest goes to the end. */
  const take = (): readonly Series<T, R>[] => {
    const batch: Series<T, R>[] = [];
    let rows = 0;
    let chars = 0;
    for (const [key, series] of waiting) {
      if (busy.has(key)) continue;
      const end = series.findIndex(({ row }, place) => {
        const before = series[place - 1];
        if (before && !follows(before.row, row)) return true;
        chars += charsOf(row);
        rows += 1;

        return rows > 1 && (rows > MAX_ROWS || chars > MAX_CHARS);
      });
      if (end === 0) break;
      waiting.delete(key);
      if (end > 0) waiting.set(key, series.slice(end));
      busy.add(key);
      batch.push(end < 0 ? series : series.slice(0, end));
      if (rows >= MAX_ROWS || chars > MAX_CHARS) break;
    }

    return batch;
  };

  /** @returns once sent */
  const timed = async (batch: readonly Series<T, R>[]): Promise<void> => {
    let isLong = false;
    const timer = setTimeout(() => {
      isLong = true;
      long += 1;
      call();
    }, longMs);
    await send(batch);
    clearTimeout(timer);
    if (isLong) long -= 1;
  };

  const pump = async (): Promise<void> => {
    underWay += 1;
    for (let batch = take(); batch.length > 0; batch = take()) {
      await timed(batch);
      for (const [one] of batch) if (one) busy.delete(keyOf(one.row));
      // Another one took over the rest.
      if (underWay > most()) break;
    }
    underWay -= 1;
  };

  function call(): void {
    if (isCalled || waiting.size === 0 || underWay >= most()) return;
    isCalled = true;
    setImmediate(() => {
      isCalled = false;
      void pump();
    });
  }

  return (row) =>
    new Promise((resolve, reject) => {
      const key = keyOf(row);
      waiting.set(key, [...(waiting.get(key) ?? []), { row, resolve, reject }]);
      call();
    });
};
