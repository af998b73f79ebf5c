import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";

/** By address. */
export const replyAttempts = createRateLimiter({ limit: 60, windowMs: 5 * 60_000 }, systemClock);
