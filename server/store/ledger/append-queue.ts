/**
 * Group commit: rows that runs want to store in one turn of the event loop, or while a statement is under way, go together in the
 * next one. Nothing waits for company any longer than that, and for a statement that takes long nothing waits at all while there is
 * room for another one beside it. Small statements at once would cost the database more than large ones after each other.
 *
 * Rows of one key are stored in the order in which they came, and never by two statements at once: each needs the one before.
 */
import pg from "pg";

const MAX_ROWS = 256;
/** One large value must not make all others wait for each other's bytes. */
const MAX_CHARS = 4_000_000;

type Waiting<T, R> = {
  readonly row: T;
  readonly resolve: (result: R | null) => void;
  readonly reject: (error: unknown) => void;
};

/** Rows of one key that follow each other: written all or none. */
type Series<T, R> = readonly Waiting<T, R>[];

/** A connection that is gone, or a server that goes down: nobody knows what was written. */
const UNKNOWN_OUTCOME = /^(?:08|57P|58)/u;

/** The database said no and wrote nothing. Told by code, because a server says severities in its own language. */
const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !UNKNOWN_OUTCOME.test(error.code);

export type AppendOrder<T> = {
  /** Statements under way at once, when those before take long. */
  readonly atOnce: number;
  /** From when on a statement takes long. */
  readonly longMs: number;
  /** How large a row is. */
  readonly charsOf: (row: T) => number;
  readonly keyOf: (row: T) => string;
  /** Whether `row` may be stored by the same statement as `before`, the row of its key that came before it. */
  readonly follows: (before: T, row: T) => boolean;
};

/**
 * @param store stores series of rows, answers by a series' place, without those that were not written. What it is called with is
 * written all or none when it throws a refusal of the database
 * @returns resolves to what was said about the row's series, or to null when it was not written
 */
export const appendQueue = <T, R>(
  store: (series: readonly (readonly T[])[]) => Promise<ReadonlyMap<number, R>>,
  { atOnce, longMs, charsOf, keyOf, follows }: AppendOrder<T>,
): ((row: T) => Promise<R | null>) => {
  const waiting = new Map<string, Series<T, R>>();
  const busy = new Set<string>();
  let underWay = 0;
  /** Statements under way that take long. */
  let long = 0;
  let isCalled = false;

  const most = (): number => Math.min(atOnce, long + 1);

  const send = async (batch: readonly Series<T, R>[]): Promise<void> => {
    try {
      const written = await store(batch.map((series) => series.map(({ row }) => row)));
      batch.forEach((series, place) => series.forEach(({ resolve }) => resolve(written.get(place) ?? null)));
    } catch (error) {
      // One row that the database does not take is not to take its neighbours with it, nor those that came before it.
      const [first = []] = batch;
      const parts = batch.length > 1 ? batch : first.map((one) => [one]);
      if (parts.length > 1 && isRefused(error)) for (const part of parts) await send([part]);
      else for (const { reject } of batch.flat()) reject(error);
    }
  };

  /** As many rows as one statement takes, of keys of which none is under way; what has to wait longer goes to the end. */
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

  /** @returns when it is sent, however long it takes */
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
      // Another one has gone on with the rest.
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
