/**
 * The fleet's jobs in pg-boss, one per run and urgency. Policies with one job under way (`exclusive`, `stately`, `singleton`) would wait
 * for a dead runner's job.
 */
import { PgBoss, type Job } from "pg-boss";
import { z } from "zod";
import { batchCalls } from "@/lib/batch-calls";
import { uuidSchema } from "@/lib/ids";
import { log } from "@/server/log";
import { oneAtATime } from "@/server/store/runs/dispatch";

const QUEUE = "drive-run";
const DEAD = "drive-run-dead";
const HEARTBEAT_S = 15;
const MOST_AT_ONCE = 50;
export const TOUCH_MS = 5_000;
const SUPERVISE_S = 15;
const RETRIES = 5;
const RETRY_DELAY_S = 1;
const DAY_S = 86_400;

export const targetSchema = z.strictObject({ workspaceId: uuidSchema, runId: uuidSchema });
export type Target = z.infer<typeof targetSchema>;

const ASKED = 10;

export type RunJob = Job<Target>;

export type Failed = {
  /** Now a dead letter. */
  readonly isDead: boolean;
  readonly retriedWithinMs: number;
};

export type RunQueue = {
  /** Queues found jobs, leaving waiting ones unchanged. */
  readonly send: (targets: readonly Target[]) => Promise<void>;
  readonly sendAsked: (target: Target) => Promise<void>;
  /** @param except workspaces to leave alone */
  readonly take: (count: number, except: readonly string[]) => Promise<readonly RunJob[]>;
  readonly touch: (jobs: readonly RunJob[]) => Promise<void>;
  readonly finish: (job: RunJob) => Promise<void>;
  readonly fail: (job: RunJob, message: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export const toFailure = ({ retryCount }: RunJob): Failed => ({
  isDead: retryCount >= RETRIES,
  // The queue waits between half and all of this, plus a free place.
  retriedWithinMs: RETRY_DELAY_S * 2 ** (retryCount + 1) * 1_000 + 5_000,
});

const keyOf = ({ workspaceId, runId }: Target) => ({ singletonKey: `${workspaceId} ${runId}`, group: { id: workspaceId } });

/** Opens the queue. @param perWorkspace concurrent jobs over the fleet; absent: unlimited */
export const openQueue = async (connectionString: string, perWorkspace: number | undefined): Promise<RunQueue> => {
  const boss = new PgBoss({
    connectionString,
    schema: "pgboss",
    // Migrations made the queue's schema; this role may not.
    createSchema: false,
    schedule: false,
    max: 4,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
    maintenanceIntervalSeconds: 900,
  });
  boss.on("error", (error) => log().warn({ error: error.message }, "the job queue reports an error"));
  await boss.start();
  const options = {
    retryLimit: RETRIES,
    retryDelay: RETRY_DELAY_S,
    retryBackoff: true,
    heartbeatSeconds: HEARTBEAT_S,
    expireInSeconds: DAY_S,
    deleteAfterSeconds: 900,
    deadLetter: DEAD,
  };
  await boss.createQueue(DEAD, { policy: "standard", retryLimit: 0, retentionSeconds: 14 * DAY_S });
  await boss.createQueue(QUEUE, { policy: "short", ...options });
  // An existing queue keeps its old version's settings.
  await boss.updateQueue(QUEUE, options);

  const fetchOptions = (count: number, except: readonly string[]) => ({
    batchSize: count,
    ...(except.length === 0 ? {} : { ignoreGroups: [...except] }),
    ...(perWorkspace === undefined ? {} : { groupConcurrency: perWorkspace }),
  });

  const sendAsked = batchCalls(async (_all: string, targets: readonly Target[]): Promise<readonly null[]> => {
    const jobs = [...new Map(targets.map((data) => [data.runId, { data, ...keyOf(data), priority: ASKED }])).values()];
    const sent = await boss.insert(QUEUE, jobs, { returnId: true });
    const waiting = sent?.length === jobs.length ? [] : jobs;
    for (const { singletonKey } of waiting) await boss.update({ name: QUEUE, options: { singletonKey, priority: ASKED } });

    return targets.map(() => null);
  }, MOST_AT_ONCE);

  const finish = batchCalls(async (_all: string, jobs: readonly RunJob[]): Promise<readonly null[]> => {
    await boss.complete(QUEUE, [...jobs]);

    return jobs.map(() => null);
  }, MOST_AT_ONCE);

  return {
    send: async (targets) => {
      if (targets.length > 0)
        await boss.insert(
          QUEUE,
          targets.map((target) => ({ data: target, ...keyOf(target) })),
        );
    },
    sendAsked: async (target) => {
      await sendAsked("", target);
    },
    take: (count, except) => {
      if (perWorkspace === undefined) return boss.fetch<Target>(QUEUE, fetchOptions(count, except));

      // Serialised: two concurrent runners would both find room.
      return oneAtATime((client) =>
        boss.fetch<Target>(QUEUE, {
          ...fetchOptions(count, except),
          db: { executeSql: (text, values) => client.query(text, values) },
        }),
      );
    },
    touch: async (jobs) => {
      if (jobs.length > 0) await boss.touch(QUEUE, [...jobs]);
    },
    finish: async (job) => {
      await finish("", job);
    },
    fail: async (job, message) => {
      await boss.fail(QUEUE, job, { message });
    },
    close: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
};
