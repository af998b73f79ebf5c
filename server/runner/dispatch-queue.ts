/**
 * The jobs of the fleet in pg-boss: one job is "drive this run".
 *
 * The policy is `short`: at most one waiting job per run and urgency, and any number under way. Who drives a run is decided
 * by its lease alone, and what is committed by the compare-and-swap of head and epoch; a queue that allowed one job under
 * way (`exclusive`, `stately`, `singleton`) would only add the wait for the job of a runner that died. Its job goes back
 * when its heartbeats stop, some seconds after another runner has taken the run by a job of its own.
 */
import { PgBoss, type Job } from "pg-boss";
import { z } from "zod";
import { uuidSchema } from "@/lib/ids";
import { log } from "@/server/log";
import { oneAtATime } from "@/server/store/runs/dispatch";

const QUEUE = "drive-run";
const DEAD = "drive-run-dead";
const HEARTBEAT_S = 15;
/** How often the heartbeats of what is under way are renewed. */
export const TOUCH_MS = 5_000;
const SUPERVISE_S = 15;
const RETRIES = 5;
const RETRY_DELAY_S = 1;
const DAY_S = 86_400;

export const targetSchema = z.strictObject({ workspaceId: uuidSchema, runId: uuidSchema });
export type Target = z.infer<typeof targetSchema>;

/** Of a job that somebody waits for; the others have none. */
const ASKED = 10;

export type RunJob = Job<Target>;

/** What becomes of a job whose run could not be driven. */
export type Failed = {
  /** It has failed as often as it may: it is among the dead letters now. */
  readonly isDead: boolean;
  /** Until then the queue itself sees to it. */
  readonly retriedWithinMs: number;
};

export type RunQueue = {
  /** Jobs that somebody found; what waits already is left as it is. */
  readonly send: (targets: readonly Target[]) => Promise<void>;
  /** A job that a person or an outside agent waits for: it goes before those that were found. */
  readonly sendAsked: (target: Target) => Promise<void>;
  /** @param except workspaces whose jobs are left where they are */
  readonly take: (count: number, except: readonly string[]) => Promise<readonly RunJob[]>;
  readonly touch: (jobs: readonly RunJob[]) => Promise<void>;
  readonly finish: (job: RunJob) => Promise<void>;
  readonly fail: (job: RunJob, message: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

export const failureOf = ({ retryCount }: RunJob): Failed => ({
  isDead: retryCount >= RETRIES,
  // The queue waits between half and all of this, and somebody has to be free.
  retriedWithinMs: RETRY_DELAY_S * 2 ** (retryCount + 1) * 1_000 + 5_000,
});

const keyOf = ({ workspaceId, runId }: Target) => ({ singletonKey: `${workspaceId} ${runId}`, group: { id: workspaceId } });

/** @param perWorkspace most jobs of one workspace under way over the whole fleet; none: as many as there is room for */
export const openQueue = async (connectionString: string, perWorkspace: number | undefined): Promise<RunQueue> => {
  const boss = new PgBoss({
    connectionString,
    schema: "pgboss",
    // The queue's own schema was made by the migrations; the role may not make another.
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
  // An installation that has the queue already has it with the settings of its version.
  await boss.updateQueue(QUEUE, options);

  const fetchOptions = (count: number, except: readonly string[]) => ({
    batchSize: count,
    ...(except.length === 0 ? {} : { ignoreGroups: [...except] }),
    ...(perWorkspace === undefined ? {} : { groupConcurrency: perWorkspace }),
  });

  return {
    send: async (targets) => {
      if (targets.length > 0)
        await boss.insert(
          QUEUE,
          targets.map((target) => ({ data: target, ...keyOf(target) })),
        );
    },
    sendAsked: async (target) => {
      const sent = await boss.send(QUEUE, target, { ...keyOf(target), priority: ASKED });
      if (sent === null) await boss.update({ name: QUEUE, options: { singletonKey: keyOf(target).singletonKey, priority: ASKED } });
    },
    take: (count, except) => {
      if (perWorkspace === undefined) return boss.fetch<Target>(QUEUE, fetchOptions(count, except));

      // Counted and taken by one runner at a time: two that count at once would both find room for one more.
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
      await boss.complete(QUEUE, job);
    },
    fail: async (job, message) => {
      await boss.fail(QUEUE, job, { message });
    },
    close: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
};
