import { setTimeout as wait } from "node:timers/promises";
import type { AppError } from "@/lib/errors";
import { openStream } from "@/server/metrics";

type Objection = () => Promise<AppError | null>;

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

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
      const objected = await objection();
      if (objected) throw objected;
      if (item === "late") continue;
      if (item.done) return;
      yield item.value;
      coming = items.next();
    }
  } finally {
    closed();
    // Not awaited: an idle stream ends only at its next item.
    coming.catch(() => undefined);
    void Promise.resolve(items.return?.()).catch(() => undefined);
  }
}

/** Forwards a stream until an objection, checked per item and every `everyMs`. */
export const openWhile = <T>(data: T, objection: Objection, everyMs: number): T =>
  // Middleware does not know the item type.
  isStream(data) ? (watched(data, objection, everyMs) as T) : data;
