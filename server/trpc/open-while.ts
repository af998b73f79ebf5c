/** Answers that stay open: they end when whoever asked is signed out meanwhile. */
import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "@/lib/errors";

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** "late" when it has not settled in time. */
const within = async <T>(promise: Promise<T>, ms: number): Promise<T | "late"> => {
  const timer = new AbortController();
  try {
    return await Promise.race([promise, wait(ms, "late" as const, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
};

async function* watched(stream: AsyncIterable<unknown>, isStill: () => Promise<boolean>, everyMs: number): AsyncGenerator {
  const items = stream[Symbol.asyncIterator]();
  let coming = items.next();
  try {
    for (;;) {
      const item = await within(coming, everyMs);
      // Asked before anything is handed on, and again and again while there is nothing.
      if (!(await isStill())) throw new AppError("unauthenticated");
      if (item === "late") continue;
      if (item.done) return;
      yield item.value;
      coming = items.next();
    }
  } finally {
    // Not waited for: a stream that is waiting itself ends only when it has something to say.
    coming.catch(() => undefined);
    void Promise.resolve(items.return?.()).catch(() => undefined);
  }
}

/**
 * The stream for as long as `isStill` says so, asked for each item and every `everyMs` ms; whatever is no stream as it is.
 * Ends with AppError `unauthenticated`.
 */
export const openWhile = <T>(data: T, isStill: () => Promise<boolean>, everyMs: number): T =>
  // The middleware of a procedure is not told what its stream is of; nothing but its items is handed on.
  isStream(data) ? (watched(data, isStill, everyMs) as T) : data;
