/**
 * Which runs are driven when, and by whom: pg-boss queues at most one waiting job per run, across all runner machines.
 * Nothing about correctness rests on it. Two drivers of one run are told apart by the lease; a job that is lost, or that
 * died with its runner, is made again by the sweep, which asks the runs themselves.
 */
import pg from "pg";
import { PgBoss, type Job } from "pg-boss";
import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import type { RunnerDeps } from "@/server/runner/deps";
import { driveRun, type Wakeups } from "@/server/runner/drive";
import { log } from "@/server/log";
import { dueRuns, runsAtDoors } from "@/server/store/run-heads";

const QUEUE = "drive-run";
const SWEEP_MS = 1_000;
const SWEEP_LIMIT = 200;
/** Whoever changes the registry wakes the runs that it is about; this is for a waking that was lost. */
const DOORS_MS = 30_000;

const targetSchema = z.strictObject({ workspaceId: uuidSchema, runId: uuidSchema });
type Target = z.infer<typeof targetSchema>;

export type Dispatcher = { readonly close: () => Promise<void> };

/** Commands announce themselves as `<workspace> <run>`: a driver at work is woken, an idle run is queued. */
const listen = async (connectionString: string, onCommand: (target: Target) => void): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString });
  client.on("error", (error) => log().warn({ error: error.message }, "the command listener lost its connection; the sweep goes on"));
  client.on("notification", ({ payload = "" }) => {
    const [workspaceId, runId] = payload.split(" ");
    const target = targetSchema.safeParse({ workspaceId, runId });
    if (target.success) onCommand(target.data);
  });
  await client.connect();
  await client.query("listen countersign_command");

  return client;
};

const createWakeups = (): Wakeups & { readonly wake: (runId: string) => void } => {
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
    wake: (runId) => waiting.get(runId)?.forEach((wake) => wake()),
  };
};

/** Starts driving runs. @param concurrency runs driven at the same time by this process */
export const startDispatcher = async (deps: RunnerDeps, connectionString: string, concurrency: number): Promise<Dispatcher> => {
  // The queue's own schema was made by the migrations; the role may not make another.
  const boss = new PgBoss({ connectionString, schema: "pgboss", createSchema: false, useListenNotify: true });
  const wakeups = createWakeups();
  boss.on("error", (error) => log().warn({ error: error.message }, "the job queue reports an error"));
  await boss.start();
  await boss.createQueue(QUEUE, { policy: "short", notify: true, retryLimit: 0, expireInSeconds: 3_600, deleteAfterSeconds: 3_600 });

  const enqueue = async (target: Target): Promise<void> => {
    await boss.send(QUEUE, target, { singletonKey: `${target.workspaceId} ${target.runId}` });
  };
  const enqueueLater = (target: Target) => {
    wakeups.wake(target.runId);
    enqueue(target).catch((error: unknown) => log().warn({ error: String(error) }, "a job was not queued; the sweep will"));
  };
  await boss.work(QUEUE, { localConcurrency: concurrency, pollingIntervalSeconds: 0.5 }, async (jobs: Job<Target>[]) => {
    for (const job of jobs) {
      const { workspaceId, runId } = targetSchema.parse(job.data);
      await driveRun(deps, wakeups, workspaceId, runId).catch((error: unknown) => {
        log().error({ run: runId, error: error instanceof Error ? error.stack : String(error) }, "driving a run failed");
      });
    }
  });
  const listener = await listen(connectionString, enqueueLater);
  const sweep = setInterval(() => {
    dueRuns(SWEEP_LIMIT)
      .then((due) => Promise.all(due.map(enqueue)))
      .catch((error: unknown) => log().warn({ error: String(error) }, "looking for runs to drive failed"));
  }, SWEEP_MS);

  const doors = setInterval(() => {
    runsAtDoors(SWEEP_LIMIT)
      .then((found) => Promise.all(found.map(enqueue)))
      .catch((error: unknown) => log().warn({ error: String(error) }, "looking for runs at shut doors failed"));
  }, DOORS_MS);

  return {
    close: async () => {
      clearInterval(sweep);
      clearInterval(doors);
      await listener.end();
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
};
