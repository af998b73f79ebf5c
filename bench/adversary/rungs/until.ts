import { setTimeout as wait } from "node:timers/promises";

const LOOK_EVERY_MS = 25;
const PATIENCE_MS = 30_000;

/** @throws Error after a timeout */
export const until = async <T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  timeoutMs: number = PATIENCE_MS,
): Promise<T> => {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > untilMs) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await wait(LOOK_EVERY_MS);
  }
};
