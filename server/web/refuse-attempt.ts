/** What is asked of a run that is not there, or is somebody else's: nobody but the ledger learns of it. */
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { createRateLimiter } from "@/server/security/rate-limit";
import { sendCommand, type Submission } from "./submit-command";

/** Far more than anybody gets wrong by mistake; what comes beyond it within the minute is refused without a record. */
const attempts = createRateLimiter({ limit: 20, windowMs: 60_000 }, systemClock);

/**
 * Hands the attempt to the runner, which signs a record of it in the workspace's own ledger, and does not wait for that.
 * @returns false: too many of them, this one is not kept
 */
export const recordAttempt = async (attempt: Submission): Promise<boolean> => {
  const { author, workspaceId } = attempt;
  if (!attempts.take(`${workspaceId} ${author.type === "user" ? author.id : author.token}`)) return false;
  await sendCommand(systemClock.id(), attempt);

  return true;
};

/**
 * Records the attempt. A run of another workspace and one that does not exist are answered alike.
 * @throws AppError not_found, always; or rate_limited
 */
export const refuseAttempt = async (attempt: Submission): Promise<never> => {
  throw new AppError((await recordAttempt(attempt)) ? "not_found" : "rate_limited");
};
