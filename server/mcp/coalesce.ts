import { log } from "@/server/log";

export type Coalesced = {
  readonly mark: () => void;
  /** Writes the rest. */
  readonly close: () => Promise<void>;
};

/** Writes at most once per interval. @param what for the log */
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
