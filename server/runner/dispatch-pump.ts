import { log } from "@/server/log";
import { gaugeActiveRuns } from "@/server/metrics";
import { TOUCH_MS, type RunJob, type RunQueue } from "@/server/runner/dispatch-queue";

/** Taken jobs count before the next choice. */
const BATCH = 8;
/** Covers retries and lost announcements. */
const LOOK_MS = 2_000;

export type Pump = {
  readonly pull: () => void;
  readonly stop: () => void;
  readonly idle: () => Promise<void>;
};

type Fleet = { readonly concurrency: number; readonly isLimited: boolean };

/** Fetches jobs for all free places in one statement. @param work never rejects */
export const startPump = (queue: RunQueue, { concurrency, isLimited }: Fleet, work: (job: RunJob) => Promise<void>): Pump => {
  const active = new Map<RunJob, Promise<void>>();
  const stopped = new AbortController();
  let pulling: Promise<void> | null = null;
  let isAsked = false;
  let isBehind = false;

  const free = (): number => (stopped.signal.aborted ? 0 : concurrency - active.size);

  const served = (): string[] => {
    const counts = new Map<string, number>();
    for (const { data } of active.keys()) counts.set(data.workspaceId, (counts.get(data.workspaceId) ?? 0) + 1);
    const share = Math.ceil(concurrency / (counts.size + 1));

    return [...counts].filter(([, count]) => count >= share).map(([workspace]) => workspace);
  };

  const start = (job: RunJob): void => {
    const done = work(job).finally(() => {
      active.delete(job);
      gaugeActiveRuns(active.size);
      if (isBehind || isLimited) pull();
    });
    active.set(job, done);
    gaugeActiveRuns(active.size);
  };

  const fill = async (): Promise<void> => {
    while (free() > 0) {
      const count = Math.min(free(), BATCH);
      const except = served();
      const others = except.length === 0 ? [] : await queue.take(count, except);
      const jobs = others.length > 0 ? others : await queue.take(count, []);
      jobs.forEach(start);
      if (jobs.length === 0 || (jobs.length < count && others.length === 0 && !isLimited)) {
        isBehind = false;

        return;
      }
    }
    isBehind = true;
  };

  const fillWhileAsked = async (): Promise<void> => {
    try {
      do {
        isAsked = false;
        await fill();
      } while (isAsked && free() > 0);
    } catch (error) {
      log().warn({ error: String(error) }, "no jobs could be taken; the next look tries again");
    } finally {
      pulling = null;
    }
  };

  function pull(): void {
    isAsked = true;
    if (free() > 0) pulling ??= fillWhileAsked();
    else isBehind = true;
  }

  const looking = setInterval(pull, LOOK_MS);
  const touching = setInterval(() => {
    queue.touch([...active.keys()]).catch((error: unknown) => log().warn({ error: String(error) }, "heartbeats of jobs were not renewed"));
  }, TOUCH_MS);

  return {
    pull,
    stop: () => {
      stopped.abort();
      clearInterval(looking);
    },
    idle: async () => {
      await pulling;
      while (active.size > 0) await Promise.all(active.values());
      clearInterval(touching);
    },
  };
};
