import { eraseLine, isTerminal, writeOut } from "../terminal.mjs";

export const say = (line: string): void => writeOut(`${line}\n`);

const seconds = (sinceMs: number): string => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;

/** Runs a step with a timed line of `work`'s text; null: none. Only terminals count seconds. */
export const step = async <T>(label: string, work: () => Promise<{ readonly said: string | null; readonly value: T }>): Promise<T> => {
  const startedMs = Date.now();
  const show = (): void => {
    eraseLine();
    writeOut(`  … ${label} (${seconds(startedMs)})`);
  };
  const tick = isTerminal() ? setInterval(show, 500) : null;

  try {
    const { said, value } = await work();

    if (tick !== null) eraseLine();
    if (said !== null) say(`  ✓ ${said} (${seconds(startedMs)})`);

    return value;
  } catch (error) {
    if (tick !== null) writeOut("\n");
    throw error;
  } finally {
    if (tick !== null) clearInterval(tick);
  }
};
