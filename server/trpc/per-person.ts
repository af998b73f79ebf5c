/** What one person may ask of this web process: bounds a script, or a page that has gone wild, and nobody's work. */
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";

const mutations = createRateLimiter({ limit: 300, windowMs: 60_000 }, systemClock);

/** Each tab holds one or two. */
const MAX_STREAMS = 32;
const streams = new Map<string, number>();

/** Counts one mutation. @throws AppError rate_limited */
export const countMutation = (userId: string): void => {
  if (!mutations.take(userId)) throw new AppError("rate_limited", { message: "Too many changes. Wait a minute and try again." });
};

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

async function* counted(userId: string, stream: AsyncIterable<unknown>): AsyncGenerator {
  const open = streams.get(userId) ?? 0;
  if (open >= MAX_STREAMS) throw new AppError("rate_limited", { message: "Too many live views are open. Close some of them." });
  streams.set(userId, open + 1);
  try {
    yield* stream;
  } finally {
    const left = (streams.get(userId) ?? 1) - 1;
    if (left > 0) streams.set(userId, left);
    else streams.delete(userId);
  }
}

/** The same stream, counted while it is open; it throws AppError rate_limited when its person has too many. Anything else as it is. */
export const countStream = <T>(userId: string, data: T): T =>
  // The middleware of a procedure is not told what its stream is of; nothing but its items is handed on.
  isStream(data) ? (counted(userId, data) as T) : data;
