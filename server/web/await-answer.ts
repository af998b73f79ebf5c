import { systemClock } from "@/server/clock";
import { runBus } from "@/server/live/run-bus";
import { waitForCommand } from "@/server/metrics";

const ANSWER_MS = 15_000;
/** Polls for a lost announcement. */
const LOOK_AGAIN_MS = 250;

/** Reads until answered; null on timeout. */
export const awaitAnswer = async <T>(id: string, read: () => Promise<T | null>, mostMs = ANSWER_MS): Promise<T | null> => {
  const wakeups = runBus().follow(id);
  const answered = waitForCommand();
  try {
    const untilMs = systemClock.now() + mostMs;
    while (systemClock.now() < untilMs) {
      await wakeups.next(LOOK_AGAIN_MS);
      const answer = await read();
      if (answer !== null) return answer;
    }
  } finally {
    answered();
    wakeups.close();
  }

  return null;
};
