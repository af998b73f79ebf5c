/** Answers that stay open: they end when whoever asked is signed out meanwhile, or given another role. */
import { setTimeout as wait } from "node:timers/promises";
import type { AppError } from "@/lib/errors";
import { openStream } from "@/server/metrics";

/** Why an answer may not stay open any more; null: it may. */
type Objection = () => Promise<AppError | null>;

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

async function* watched(stream: AsyncIterable<unknown>, objection: Objection, everyMs: number): AsyncGenerator {
  const items = stream[Symbol.asyncIterator]();
  const closed = openStream();
  let coming = items.next();
  try {
    for (;;) {
      const item = await within(coming, everyMs);
      // Asked before anything is handed on, and again and again while there is nothing.
      const objected = await objection();
      if (objected) throw objected;
      if (item === "late") continue;
      if (item.done) return;
      yield item.value;
      coming = items.next();
    }
  } finally {
    closed();
    // Not waited for: a stream that is waiting itself ends only when it has something to say.
    coming.catch(() => undefined);
    void Promise.resolve(items.return?.()).catch(() => undefined);
  }
}

/**
 * The stream until there is an objection, which it then ends with; asked for each item and every `everyMs` ms. Whatever is no
 * stream as it is.
 */
export const openWhile = <T>(data: T, objection: Objection, everyMs: number): T =>
  // The middleware of a procedure is not told what its stream is of; nothing but its items is handed on.
  isStream(data) ? (watched(data, objection, everyMs) as T) : data;
