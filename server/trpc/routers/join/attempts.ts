import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";

/** By address. */
export const joinAttempts = createRateLimiter({ limit: 30, windowMs: 5 * 60_000 }, systemClock);
