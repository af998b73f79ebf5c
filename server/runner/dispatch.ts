/**
 * Which runs are driven when, and by whom. Nothing about correctness rests on it: two drivers of one run are told apart by
 * the lease; a job that is lost, or that died with its runner, is made again by the sweep, which asks the runs themselves.
 */
import type { RunnerDeps } from "@/server/runner/deps";
import { listen } from "@/server/runner/dispatch-listener";
import { failureOf, openQueue, type RunJob, type Target } from "@/server/runner/dispatch-queue";
import { startPump } from "@/server/runner/dispatch-pump";
import { driveRun, type Wakeups } from "@/server/runner/drive";
import { log } from "@/server/log";
import { countLeaseLost, countRunDriven } from "@/server/metrics";
import { pendingCommands } from "@/server/store/runs/commands";
import { announceJobs } from "@/server/store/runs/dispatch";
import { dueRuns, holdBack, runsAtDoors } from "@/server/store/ledger/run-heads";

const SWEEP_MS = 1_000;
const SWEEP_LIMIT = 200;
/** Whoever changes the registry wakes the runs that it is about; this is for a waking that was lost. */
const DOORS_MS = 30_000;
/** How long a run rests whose job is among the dead letters. */
const REST_MS = 10 * 60_000;
/** What is aborted gets this long to give its leases back. */
const ABORT_MS = 5_000;

export type Dispatcher = {
  /** Takes no more runs, puts down what is driven, and ends. @param drainMs how long calls that are under way may take */
  readonly close: (drainMs: number) => Promise<void>;
};

type Places = {
  /** Runs driven at the same time by this process. */
  readonly concurrency: number;
  /** Runs of one workspace driven at the same time by all runners. */
  readonly perWorkspace?: number | undefined;
};

const createWakeups = () => {
  const waiting = new Map<string, Set<() => void>>();

  return {
    onWake: (runId, wake) => {
      const wakes = waiting.get(runId) ?? new Set();
      waiting.set(runId, wakes.add(wake));

      return () => {
        wakes.delete(wake);
        if (wakes.size === 0) waiting.delete(runId);
      };
    },
    wakeAll: (): void => waiting.forEach((wakes) => wakes.forEach((wake) => wake())),
    /** @returns whether somebody here drives the run */
    wake: (runId: string): boolean => {
      waiting.get(runId)?.forEach((wake) => wake());

      return waiting.has(runId);
    },
  } satisfies Wakeups & { readonly wake: (runId: string) => boolean; readonly wakeAll: () => void };
};

/** @returns what ends it; it resolves when a look that is under way has come to its end */
const every = (ms: number, what: string, look: () => Promise<void>): (() => Promise<void>) => {
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log().warn({ error: String(error) }, `looking for ${what} failed`))
      .finally(() => (looking = null));
  }, ms);

  return async () => {
    clearInterval(timer);
    await looking;
  };
};

/** Waits for it, but not for ever. @returns whether it came to its end */
const within = async (work: Promise<void>, ms: number): Promise<boolean> => {
  const timeout = Promise.withResolvers<false>();
  const timer = setTimeout(() => timeout.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Starts driving runs. */
export const startDispatcher = async (
  given: RunnerDeps,
  connectionString: string,
  { concurrency, perWorkspace }: Places,
): Promise<Dispatcher> => {
  const asked = new AbortController();
  const overdue = new AbortController();
  const deps: RunnerDeps = { ...given, stop: { asked: asked.signal, overdue: overdue.signal } };
  const queue = await openQueue(connectionString, perWorkspace);
  const wakeups = createWakeups();
  /** Runs driven here of which a command was heard meanwhile: it may have come after the driver's last look. */
  const heard = new Set<string>();

  /** Jobs that are being queued for what was heard. */
  const queueing = new Set<Promise<void>>();

  const enqueueAsked = (target: Target): Promise<void> => queue.sendAsked(target).then(() => pump.pull());

  const onCommand = (target: Target): void => {
    // Others hear it too, and find the run taken; only who drives it knows that somebody does.
    if (wakeups.wake(target.runId)) {
      heard.add(target.runId);

      return;
    }
    const queued = enqueueAsked(target)
      .catch((error: unknown) => log().warn({ error: String(error) }, "a job was not queued; the sweep will"))
      .finally(() => queueing.delete(queued));
    queueing.add(queued);
  };

  const afterDrive = async (target: Target): Promise<void> => {
    if (!heard.delete(target.runId)) return;
    if ((await pendingCommands(target.workspaceId, target.runId)).length > 0) await enqueueAsked(target);
  };

  const failed = async (job: RunJob, error: unknown): Promise<void> => {
    const { workspaceId, runId } = job.data;
    const { isDead, retriedWithinMs } = failureOf(job);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    countRunDriven("error");
    log().error({ run: runId, attempts: job.retryCount + 1, dead: isDead, error: message }, "driving a run failed");
    // Before the job goes back: the sweep is not to make another one beside it.
    await holdBack(workspaceId, runId, isDead ? REST_MS : retriedWithinMs);
    await queue.fail(job, message.slice(0, 4_000));
    if (isDead) log().error({ run: runId, again_ms: REST_MS }, "a run was given up for now: its job is among the dead letters");
  };

  /** Whoever still has a job then dies with it, and the sweep of another runner finds its run. */
  let isClosed = false;

  /** What this process opens or drives now: a second job for it is answered by looking once more afterwards. */
  const atWork = new Set<string>();

  const carryOut = async (job: RunJob): Promise<void> => {
    const { workspaceId, runId } = job.data;
    if (atWork.has(runId)) {
      heard.add(runId);
      await queue.finish(job);

      return;
    }
    atWork.add(runId);
    try {
      const outcome = await driveRun(deps, wakeups, workspaceId, runId);
      if (isClosed) return;
      if (outcome === "lease_lost") countLeaseLost();
      if (outcome !== null) countRunDriven(outcome);
      if (outcome === "put_down") await queue.send([job.data]).then(announceJobs);
      await queue.finish(job);
    } catch (error) {
      if (!isClosed) await failed(job, error);
    } finally {
      atWork.delete(runId);
      // Also after a failure: what somebody asked meanwhile does not wait until the run is tried again.
      if (!isClosed) await afterDrive(job.data);
    }
  };

  const pump = startPump(queue, { concurrency, isLimited: perWorkspace !== undefined }, (job) =>
    carryOut(job).catch((error: unknown) =>
      log().warn({ error: String(error) }, "what became of a job was not written down; the sweep goes on"),
    ),
  );
  const found = async (targets: readonly Target[]): Promise<void> => {
    if (targets.length === 0) return;
    await queue.send(targets);
    pump.pull();
    await announceJobs();
  };
  const sweep = async (): Promise<void> => found(await dueRuns(SWEEP_LIMIT));
  const listener = listen(connectionString, {
    onCommand,
    onJobs: pump.pull,
    onConnected: () => {
      // What was asked while nobody listened.
      wakeups.wakeAll();
      pump.pull();
    },
  });
  const ends = [
    every(SWEEP_MS, "runs to drive", sweep),
    every(DOORS_MS, "runs at shut doors", async () => found(await runsAtDoors(SWEEP_LIMIT))),
  ];

  return {
    close: async (drainMs) => {
      pump.stop();
      const looked = Promise.all(ends.map((end) => end())).then(() => undefined);
      asked.abort();
      const idle = pump.idle();
      if (!(await within(idle, drainMs))) {
        overdue.abort();
        await within(idle, ABORT_MS);
      }
      await listener.close();
      // What was heard until then has its job before the queue is closed.
      await within(
        Promise.all([looked, ...queueing]).then(() => undefined),
        ABORT_MS,
      );
      isClosed = true;
      await queue.close();
    },
  };
};
