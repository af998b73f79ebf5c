import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";

/** Attempts at invite links, by address. */
export const joinAttempts = createRateLimiter({ limit: 30, windowMs: 5 * 60_000 }, systemClock);
