/** Schedules drives. Leases make it correct; a sweep recreates lost jobs. */
import type { RunnerDeps } from "@/server/runner/deps";
import { listen } from "@/server/runner/dispatch-listener";
import { toFailure, openQueue, type RunJob, type Target } from "@/server/runner/dispatch-queue";
import { startPump } from "@/server/runner/dispatch-pump";
import { createStarts } from "@/server/runner/dispatch-starts";
import { driveRun, type Wakeups } from "@/server/runner/drive";
import { log } from "@/server/log";
import { countLeaseLost, countRunDriven } from "@/server/metrics";
import { isConnectionError } from "@/server/store/connection-errors";
import { listPendingCommands } from "@/server/store/runs/commands";
import { announceJobs } from "@/server/store/runs/dispatch";
import { listDueRuns, holdBack, listGatedRuns } from "@/server/store/ledger/run-heads";

const SWEEP_MS = 1_000;
const SWEEP_LIMIT = 200;
const SOON_MS = 250;
const START_SOON_MS = 25;
/** Covers lost wake-ups of registry changes. */
const DOORS_MS = 30_000;
const REST_MS = 10 * 60_000;
/** Bounds the delay of a resumption that the hold-back missed. */
const STOPPED_MS = 15_000;
const ABORT_MS = 5_000;

export type Dispatcher = {
  /** @param drainMs time for calls under way */
  readonly close: (drainMs: number) => Promise<void>;
};

type Places = {
  readonly concurrency: number;
  /** Over all runners. */
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
    wake: (runId: string): boolean => {
      waiting.get(runId)?.forEach((wake) => wake());

      return waiting.has(runId);
    },
  } satisfies Wakeups & { readonly wake: (runId: string) => boolean; readonly wakeAll: () => void };
};

type Repeated = {
  readonly soon: () => void;
  readonly end: () => Promise<void>;
};

const every = (ms: number, what: string, look: () => Promise<void>, soonMs = SOON_MS): Repeated => {
  let looking: Promise<void> | null = null;
  let asked: NodeJS.Timeout | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let isEnded = false;
  const lookNow = (): void => {
    lookedAtMs = performance.now();
    looking ??= look()
      .catch((error: unknown) => log().warn({ error: String(error) }, `looking for ${what} failed`))
      .finally(() => (looking = null));
  };
  const timer = setInterval(lookNow, ms);

  return {
    soon: () => {
      if (isEnded) return;
      asked ??= setTimeout(
        () => {
          asked = null;
          lookNow();
        },
        Math.max(0, lookedAtMs + soonMs - performance.now()),
      );
    },
    end: async () => {
      isEnded = true;
      clearInterval(timer);
      if (asked) clearTimeout(asked);
      await looking;
    },
  };
};

const within = async (work: Promise<void>, ms: number): Promise<boolean> => {
  const timeout = Promise.withResolvers<false>();
  const timer = setTimeout(() => timeout.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
};

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
  /** Possibly after the driver's last check. */
  const heard = new Set<string>();

  const queueing = new Set<Promise<void>>();

  const enqueueAsked = (target: Target): Promise<void> => queue.sendAsked(target).then(() => pump.pull());

  const onCommand = (target: Target): void => {
    // Only a run's driver knows that it is driven; other runners find it leased.
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
    if ((await listPendingCommands(target.workspaceId, target.runId)).length > 0) await enqueueAsked(target);
  };

  /** Remaining jobs die with this process; other runners' sweeps find their runs. */
  let isClosed = false;

  /** Unwritten ends: their jobs occupy a place until they miss a heartbeat. */
  const ended = new Set<RunJob>();

  const finish = async (job: RunJob): Promise<void> => {
    ended.add(job);
    await queue.finish(job);
    ended.delete(job);
  };

  const finishEnded = async (): Promise<void> => {
    try {
      for (const job of ended) await finish(job);
    } catch (error) {
      if (!isClosed) log().warn({ error: String(error) }, "ends of jobs were not written down; the sweep goes on");
    }
  };

  const undecided = createStarts();
  const failed = async (job: RunJob, error: unknown): Promise<void> => {
    const { workspaceId, runId } = job.data;
    if (isConnectionError(error)) {
      // The database's fault: no attempt counts.
      countRunDriven("error");
      log().warn({ run: runId, error: String(error) }, "driving a run was cut off by the database; the sweep goes on");
      undecided.holdBack(runId, SWEEP_MS);

      return finish(job);
    }
    const { isDead, retriedWithinMs } = toFailure(job);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    countRunDriven("error");
    log().error({ run: runId, attempts: job.retryCount + 1, dead: isDead, error: message }, "driving a run failed");
    // Otherwise the sweep creates another job.
    const restMs = isDead ? REST_MS : retriedWithinMs;
    if (!(await holdBack(workspaceId, runId, restMs))) undecided.holdBack(runId, restMs);
    await queue.fail(job, message.slice(0, 4_000));
    if (isDead) log().error({ run: runId, again_ms: REST_MS }, "a run was given up for now: its job is among the dead letters");
  };

  /** A second job causes another check afterwards. */
  const atWork = new Set<string>();

  const carryOut = async (job: RunJob): Promise<void> => {
    const { workspaceId, runId } = job.data;
    if (atWork.has(runId)) {
      heard.add(runId);

      return finish(job);
    }
    atWork.add(runId);
    try {
      const outcome = await driveRun(deps, wakeups, workspaceId, runId);
      if (isClosed) return;
      if (outcome === "lease_lost") countLeaseLost();
      if (outcome !== null) countRunDriven(outcome);
      // Resuming may have come before the hold-back.
      if (outcome === "stopped" && (await deps.switches.isStopped(workspaceId))) await holdBack(workspaceId, runId, STOPPED_MS);
      if (outcome === "put_down") await queue.send([job.data]).then(announceJobs);
      await finish(job);
    } catch (error) {
      if (!isClosed) await failed(job, error);
    } finally {
      atWork.delete(runId);
      // New commands do not wait for the retry.
      if (!isClosed) await afterDrive(job.data);
    }
  };

  const pump = startPump(queue, { concurrency, isLimited: perWorkspace !== undefined }, (job) =>
    carryOut(job).catch((error: unknown) =>
      log().warn({ error: String(error) }, "what became of a job was not written down; the sweep goes on"),
    ),
  );
  const found = async (listed: readonly Target[]): Promise<void> => {
    // Not leased yet.
    const targets = listed.flatMap(({ workspaceId, runId }) => (atWork.has(runId) ? [] : [{ workspaceId, runId }]));
    if (targets.length === 0) return;
    await queue.send(targets);
    pump.pull();
    await announceJobs();
  };
  const sweeps = every(SWEEP_MS, "runs to drive", async () => {
    const due = await listDueRuns(SWEEP_LIMIT);
    await found(due);
    if (due.length >= SWEEP_LIMIT) sweeps.soon();
  });
  const starts = every(
    SWEEP_MS,
    "starts",
    async () => {
      const queued = await undecided.list();
      await found(queued.filter(({ isLeased }) => !isLeased));
      if (queued.length > 0) starts.soon();
    },
    START_SOON_MS,
  );
  const listener = listen(connectionString, {
    onCommand,
    onJobs: pump.pull,
    onStarts: () => {
      undecided.arrived();
      starts.soon();
    },
    onStop: given.switches.look,
    onConnected: () => {
      // Covers announcements missed while disconnected.
      wakeups.wakeAll();
      finishEnded().catch((error: unknown) =>
        log().warn({ error: String(error) }, "ends of jobs were not written down; the sweep goes on"),
      );
      pump.pull();
    },
  });
  const doors = every(DOORS_MS, "runs at shut doors", async () => found(await listGatedRuns(SWEEP_LIMIT)));

  return {
    close: async (drainMs) => {
      pump.stop();
      const looked = Promise.all([sweeps.end(), starts.end(), doors.end()]).then(() => undefined);
      asked.abort();
      const idle = pump.idle();
      if (!(await within(idle, drainMs))) {
        overdue.abort();
        await within(idle, ABORT_MS);
      }
      await listener.close();
      // Queues jobs for commands heard by now.
      await within(
        Promise.all([looked, ...queueing]).then(() => undefined),
        ABORT_MS,
      );
      isClosed = true;
      await queue.close();
    },
  };
};
