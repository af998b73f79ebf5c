/** Writes that may be late are put together: at most one a moment, each with all that came in the meantime. */
import { log } from "@/server/log";

export type Coalesced = {
  /** There is something to write. */
  readonly mark: () => void;
  /** Writes what is left. */
  readonly close: () => Promise<void>;
};

/** @param write takes what there is, at the time it is called @param what said in the log when a write fails */
export const coalesce = (write: () => Promise<void>, everyMs: number, what: string): Coalesced => {
  let timer: NodeJS.Timeout | null = null;
  let work: Promise<void> = Promise.resolve();
  const run = (): Promise<void> => {
    timer = null;
    work = work.then(write).catch((error: unknown) => log().warn({ error: error instanceof Error ? error.name : "unknown" }, what));

    return work;
  };

  return {
    mark: () => {
      timer ??= setTimeout(() => void run(), everyMs).unref();
    },
    close: async () => {
      if (timer) clearTimeout(timer);
      await run();
    },
  };
};
