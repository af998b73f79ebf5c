/** Limits per person and process, against scripts and runaway pages. */
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";

const mutations = createRateLimiter({ limit: 300, windowMs: 60_000 }, systemClock);

/** Tabs hold one or two each. */
const MAX_STREAMS = 32;
const streams = new Map<string, number>();

/** Counts a mutation. @throws AppError rate_limited */
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

/** Counts a stream while open. @throws AppError rate_limited */
export const countStream = <T>(userId: string, data: T): T =>
  // Middleware does not know the item type.
  isStream(data) ? (counted(userId, data) as T) : data;
