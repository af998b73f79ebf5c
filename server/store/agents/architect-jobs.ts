import { z } from "zod";
import { runInWorkspace, getPool, scopeToWorkspace } from "@/server/db/client";
import { openLeaderLock, type Turn } from "@/server/store/leader-lock";

const CHANNEL = "countersign_architect";

export const JOB_STATUSES = ["queued", "working", "done", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export type NewArchitectJob = {
  readonly id: string;
  readonly userId: string;
  readonly tokenId: string | null;
  /** Null: a new graph. */
  readonly target: { readonly graphId: string; readonly revision: number } | null;
  readonly model: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly untrusted: boolean;
};

const wake = async (): Promise<void> => {
  await getPool().query(`select pg_notify('${CHANNEL}', '')`);
};

export const insertArchitectJob = async (workspaceId: string, job: NewArchitectJob): Promise<void> => {
  // The web process may not write the runner's columns.
  await runInWorkspace(
    workspaceId,
    (tx) => tx.$executeRaw`
      insert into architect_job (workspace_id, id, user_id, token_id, graph_id, revision, model, body, untrusted)
      values (${workspaceId}::uuid, ${job.id}::uuid, ${job.userId}::uuid, ${job.tokenId}::uuid, ${job.target?.graphId ?? null}::uuid,
              ${job.target?.revision ?? null}::int, ${job.model}, ${job.body}, ${job.untrusted})`,
  );
  await wake();
};

/** Counts a person's unfinished jobs. */
export const openArchitectJobs = (workspaceId: string, userId: string): Promise<number> =>
  scopeToWorkspace(workspaceId).architectJob.count({ where: { workspaceId, userId, status: { in: ["queued", "working"] } } });

/** Asks the runner to stop. @returns false when finished */
export const cancelArchitectJob = async (workspaceId: string, id: string): Promise<boolean> => {
  const { count } = await scopeToWorkspace(workspaceId).architectJob.updateMany({
    where: { workspaceId, id, status: { in: ["queued", "working"] } },
    data: { cancelRequested: true },
  });
  await wake();

  return count === 1;
};

const rowSchema = z.object({
  workspaceId: z.string(),
  id: z.string(),
  userId: z.string(),
  tokenId: z.string().nullable(),
  graphId: z.string().nullable(),
  revision: z.number().nullable(),
  model: z.string(),
  body: z.instanceof(Uint8Array),
  untrusted: z.boolean(),
  status: z.enum(JOB_STATUSES),
  code: z.string().nullable(),
  attempt: z.number(),
  problems: z.number(),
  state: z.instanceof(Uint8Array).nullable(),
  result: z.instanceof(Uint8Array).nullable(),
  tokens: z.number(),
  costMicroUsd: z.coerce.number(),
  cancelRequested: z.boolean(),
  startedAt: z.date().nullable(),
});
export type ArchitectJob = z.infer<typeof rowSchema>;

export const getArchitectJob = async (workspaceId: string, id: string): Promise<ArchitectJob | null> => {
  const row = await scopeToWorkspace(workspaceId).architectJob.findFirst({ where: { workspaceId, id } });

  return row && rowSchema.parse(row);
};

const MOST_AT_ONCE = 50;

const COLUMNS = `workspace_id as "workspaceId", id, user_id as "userId", token_id as "tokenId", graph_id as "graphId", revision, model, body,
  untrusted, status, code, attempt, problems, state, result, tokens, cost_micro_usd as "costMicroUsd", cancel_requested as "cancelRequested",
  started_at as "startedAt"`;

/** Unfinished jobs, oldest first. */
export const listUnfinishedArchitectJobs = async (): Promise<readonly ArchitectJob[]> => {
  const { rows } = await getPool().query(
    `select ${COLUMNS} from architect_job where status in ('queued', 'working') order by created_at, id limit ${MOST_AT_ONCE}`,
  );

  return z.array(rowSchema).parse(rows);
};

const openedSchema = z.array(z.object({ starts: z.number(), started_at: z.date() }));

/** Starts or restarts a job. @returns its start count and first start; null when finished */
export const beginArchitectJob = async (
  id: string,
  at: number,
): Promise<{ readonly starts: number; readonly startedAt: number } | null> => {
  const { rows } = await getPool().query(
    `update architect_job set status = 'working', starts = starts + 1, started_at = coalesce(started_at, to_timestamp($2::double precision / 1000))
     where id = $1 and status in ('queued', 'working') returning starts, started_at`,
    [id, at],
  );
  const [row] = openedSchema.parse(rows);

  return row ? { starts: row.starts, startedAt: row.started_at.getTime() } : null;
};

/** Written before each call: a crash leaves the worst case. */
export type Spent = { readonly tokens: number; readonly costMicroUsd: number };

export const noteArchitectSpending = async (id: string, spent: Spent): Promise<void> => {
  await getPool().query("update architect_job set tokens = $2, cost_micro_usd = $3 where id = $1 and status = 'working'", [
    id,
    spent.tokens,
    spent.costMicroUsd,
  ]);
};

type Attempt = { readonly attempt: number; readonly problems: number; readonly state: Uint8Array };

export const noteArchitectAttempt = async (id: string, { attempt, problems, state }: Attempt): Promise<void> => {
  await getPool().query("update architect_job set attempt = $2, problems = $3, state = $4 where id = $1 and status = 'working'", [
    id,
    attempt,
    problems,
    Buffer.from(state),
  ]);
};

type End = { readonly status: "done" | "failed" | "cancelled"; readonly code: string | null; readonly result: Uint8Array | null };

/** Ends a job and deletes its state. */
export const endArchitectJob = async (id: string, { status, code, result }: End, at: number): Promise<void> => {
  await getPool().query(
    `update architect_job set status = $2, code = $3, result = $4, state = null, ended_at = to_timestamp($5::double precision / 1000)
     where id = $1 and status in ('queued', 'working')`,
    [id, status, code, result === null ? null : Buffer.from(result), at],
  );
};

export const openArchitectTurn = (onWake: () => void, onLost: () => void): Promise<Turn> =>
  openLeaderLock({ channel: CHANNEL, lock: "countersign.architect" }, onWake, onLost);
