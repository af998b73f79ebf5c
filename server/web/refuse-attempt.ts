import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";
import { sendCommand, type Submission } from "./submit-command";

/** Above honest mistakes. */
const attempts = createRateLimiter({ limit: 20, windowMs: 60_000 }, systemClock);

/** Has an attempt recorded. @returns false when rate-limited */
export const recordAttempt = async (attempt: Submission): Promise<boolean> => {
  const { author, workspaceId } = attempt;
  if (!attempts.take(`${workspaceId} ${author.type === "user" ? author.id : author.token}`)) return false;
  await sendCommand(systemClock.id(), attempt);

  return true;
};

/** Refuses missing and foreign runs alike. @throws AppError not_found or rate_limited */
export const refuseAttempt = async (attempt: Submission): Promise<never> => {
  throw new AppError((await recordAttempt(attempt)) ? "not_found" : "rate_limited");
};
