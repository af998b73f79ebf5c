import { log } from "@/server/log";

export type Coalesced = {
  readonly mark: () => void;
  /** Writes the rest. */
  readonly close: () => Promise<void>;
};

/** Coalesces writes: at most one per interval. @param what named in the log on failure */
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
