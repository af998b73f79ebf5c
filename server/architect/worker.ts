import { createAutoResetEvent } from "@/server/auto-reset-event";
import { log } from "@/server/log";
import { openArchitectTurn, listUnfinishedArchitectJobs, type ArchitectJob } from "@/server/store/agents/architect-jobs";
import { workOnJob, type ArchitectDeps, type Left } from "./work";

const POLL_MS = 2_000;
const MOST_AT_ONCE = 4;

type Running = { readonly controller: AbortController; readonly done: Promise<void> };

const leave = ({ controller }: Running, why: Left): void => controller.abort(why);

const look = async (deps: ArchitectDeps, running: Map<string, Running>, ring: () => void): Promise<void> => {
  const start = (job: ArchitectJob): void => {
    const controller = new AbortController();
    const done = workOnJob(deps, job, controller.signal)
      .catch((error: unknown) => log().error({ job: job.id, err: error }, "a job of the architect failed"))
      .finally(() => {
        running.delete(job.id);
        ring();
      });
    running.set(job.id, { controller, done });
  };
  for (const job of await listUnfinishedArchitectJobs()) {
    const under = running.get(job.id);
    if (under && job.cancelRequested) leave(under, "cancelled");
    if (!under && running.size < MOST_AT_ONCE) start(job);
  }
};

/** Works until `signal` aborts; the next runner continues. */
export const workArchitectJobs = async (deps: ArchitectDeps, signal: AbortSignal): Promise<void> => {
  const bell = createAutoResetEvent(signal);
  const running = new Map<string, Running>();
  while (!signal.aborted) {
    const line = { lost: false };
    try {
      const turn = await openArchitectTurn(bell.ring, () => {
        line.lost = true;
        bell.ring();
      });
      try {
        while (!signal.aborted && !line.lost) {
          if (await turn.take()) await look(deps, running, bell.ring);
          await bell.wait(POLL_MS);
        }
      } finally {
        // Another runner may take the same jobs.
        const left = [...running.values()];
        for (const one of left) leave(one, "stopped");
        await Promise.all(left.map(({ done }) => done));
        turn.close();
      }
    } catch (error) {
      log().warn({ error: error instanceof Error ? error.name : "unknown" }, "the architect's jobs are not read for a moment");
      await bell.wait(POLL_MS);
    }
  }
};
