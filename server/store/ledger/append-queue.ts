/**
 * Group commit: many small statements cost more than few large ones. Long statements delay no others. Rows of one key are never in two
 * statements at once: each needs its predecessor.
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

type Series<T, R> = readonly Waiting<T, R>[];

const UNKNOWN_OUTCOME = /^(?:08|57P|58)/u;

/** By code: severities are localised. */
const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !UNKNOWN_OUTCOME.test(error.code);

export type AppendOrder<T> = {
  readonly atOnce: number;
  readonly longMs: number;
  readonly charsOf: (row: T) => number;
  readonly keyOf: (row: T) => string;
  /** Both may share a statement. */
  readonly follows: (before: T, row: T) => boolean;
};

/**
 * @param store stores each series atomically; a throw means nothing was written
 * @returns a function resolving to its series' answer, or null when unwritten
 */
export const appendQueue = <T, R>(
  store: (series: readonly (readonly T[])[]) => Promise<ReadonlyMap<number, R>>,
  { atOnce, longMs, charsOf, keyOf, follows }: AppendOrder<T>,
): ((row: T) => Promise<R | null>) => {
  const waiting = new Map<string, Series<T, R>>();
  const busy = new Set<string>();
  let underWay = 0;
  let long = 0;
  let isCalled = false;

  const most = (): number => Math.min(atOnce, long + 1);

  const send = async (batch: readonly Series<T, R>[]): Promise<void> => {
    try {
      const written = await store(batch.map((series) => series.map(({ row }) => row)));
      batch.forEach((series, place) => series.forEach(({ resolve }) => resolve(written.get(place) ?? null)));
    } catch (error) {
      // A rejected row must not affect its neighbours.
      const [first = []] = batch;
      const parts = batch.length > 1 ? batch : first.map((one) => [one]);
      if (parts.length > 1 && isRefused(error)) for (const part of parts) await send([part]);
      else for (const { reject } of batch.flat()) reject(error);
    }
  };

  /** Skips keys under way. */
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
      // Another one took the rest.
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
