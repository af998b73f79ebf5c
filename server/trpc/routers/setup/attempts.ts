import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";

/** Attempts at set-up links, by address. */
export const setupAttempts = createRateLimiter({ limit: 30, windowMs: 5 * 60_000 }, systemClock);
