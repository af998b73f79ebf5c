/** FIFO semaphore per key, in one process. */
export type KeyedSemaphore = {
  /** Runs `work` within the key's limit. @throws the signal's reason while waiting */
  readonly run: <T>(key: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
};

type Line = { atWork: number; readonly waiting: (() => void)[] };

export const createKeyedSemaphore = (limit: number): KeyedSemaphore => {
  const lines = new Map<string, Line>();

  const enter = async (line: Line): Promise<void> => {
    if (line.atWork < limit) line.atWork += 1;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
  };
  /** Later callers can't overtake. */
  const leave = (key: string, line: Line): void => {
    const next = line.waiting.shift();
    if (next) next();
    else line.atWork -= 1;
    if (line.atWork === 0) lines.delete(key);
  };

  return {
    run: async (key, signal, work) => {
      const line = lines.get(key) ?? { atWork: 0, waiting: [] };
      lines.set(key, line);
      await enter(line);
      try {
        signal.throwIfAborted();

        return await work();
      } finally {
        leave(key, line);
      }
    },
  };
};
