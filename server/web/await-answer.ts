/** Waiting for what the runner answers. */
import { systemClock } from "@/server/clock";
import { runBus } from "@/server/live/run-bus";
import { waitForCommand } from "@/server/metrics";

/** How long somebody waits for the runner's answer before it counts as silent. */
const ANSWER_MS = 15_000;
/** The answer is announced with its record; this finds it when the announcement is lost. */
const LOOK_AGAIN_MS = 250;

/** Reads until there is an answer. @param id under which it is announced @returns null when there is none in time */
export const awaitAnswer = async <T>(id: string, read: () => Promise<T | null>): Promise<T | null> => {
  const wakeups = runBus().follow(id);
  const answered = waitForCommand();
  try {
    const untilMs = systemClock.now() + ANSWER_MS;
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
