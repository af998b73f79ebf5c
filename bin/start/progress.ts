/** One line per step, with its time. */
const write = (text: string): void => {
  process.stdout.write(text);
};

export const say = (line: string): void => write(`${line}\n`);

const seconds = (sinceMs: number): string => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`;

/**
 * Runs one step. `work` returns what the finished line says, or null when there was nothing to do, which is not worth a
 * line. A terminal sees the seconds count; a log sees the finished line only.
 */
export const step = async <T>(label: string, work: () => Promise<{ readonly said: string | null; readonly value: T }>): Promise<T> => {
  const startedMs = Date.now();
  const tick = process.stdout.isTTY ? setInterval(() => write(`\r  … ${label} (${seconds(startedMs)})`), 500) : null;

  try {
    const { said, value } = await work();

    if (said !== null) write(`${tick === null ? "" : "\r\u001B[2K"}  ✓ ${said} (${seconds(startedMs)})\n`);
    else if (tick !== null) write("\r\u001B[2K");

    return value;
  } catch (error) {
    if (tick !== null) write("\n");
    throw error;
  } finally {
    if (tick !== null) clearInterval(tick);
  }
};
