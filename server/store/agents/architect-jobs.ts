import { z } from "zod";
import { getDatabase, inTransaction, runInWorkspace, scopeToWorkspace } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { notify } from "@/server/store/notify";
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

const wake = (): Promise<void> => notify(CHANNEL, "");

export const insertArchitectJob = async (workspaceId: string, job: NewArchitectJob): Promise<void> => {
  // Prisma would insert defaults of columns that only the runner may write.
  await runInWorkspace(
    workspaceId,
    (tx) => tx.$executeRaw`
      insert into architect_job (workspace_id, id, user_id, token_id, graph_id, revision, model, body, untrusted)
      values (${workspaceId}::uuid, ${job.id}::uuid, ${job.userId}::uuid, ${job.tokenId}::uuid, ${job.target?.graphId ?? null}::uuid,
              ${job.target?.revision ?? null}::int, ${job.model}, ${job.body}, ${job.untrusted})`,
  );
  await wake();
};

export const openArchitectJobs = (workspaceId: string, userId: string): Promise<number> =>
  scopeToWorkspace(workspaceId).architectJob.count({ where: { workspaceId, userId, status: { in: ["queued", "working"] } } });

/** @returns false when finished */
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

const UNFINISHED = { status: { in: ["queued", "working"] } };

export const listUnfinishedArchitectJobs = async (): Promise<readonly ArchitectJob[]> => {
  const rows = await getDatabase().architectJob.findMany({
    where: UNFINISHED,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MOST_AT_ONCE,
  });

  return z.array(rowSchema).parse(rows);
};

/** @returns its start count and first start; null when finished */
export const beginArchitectJob = (id: string, at: number): Promise<{ readonly starts: number; readonly startedAt: number } | null> =>
  inTransaction(async (tx) => {
    const { count } = await tx.architectJob.updateMany({
      where: { id, ...UNFINISHED },
      data: { status: "working", starts: { increment: 1 } },
    });
    if (count === 0) return null;
    await tx.architectJob.updateMany({ where: { id, startedAt: null }, data: { startedAt: new Date(at) } });
    const { starts, startedAt } = await tx.architectJob.findUniqueOrThrow({ where: { id }, select: { starts: true, startedAt: true } });

    return { starts, startedAt: startedAt?.getTime() ?? at };
  });

const noteWorking = async (id: string, data: Prisma.ArchitectJobUpdateManyMutationInput): Promise<void> => {
  await getDatabase().architectJob.updateMany({ where: { id, status: "working" }, data });
};

/** Written before each call: a crash leaves the worst case. */
export type Spent = { readonly tokens: number; readonly costMicroUsd: number };

export const noteArchitectSpending = (id: string, { tokens, costMicroUsd }: Spent): Promise<void> =>
  noteWorking(id, { tokens, costMicroUsd });

type Attempt = { readonly attempt: number; readonly problems: number; readonly state: Uint8Array<ArrayBuffer> };

export const noteArchitectAttempt = (id: string, { attempt, problems, state }: Attempt): Promise<void> =>
  noteWorking(id, { attempt, problems, state });

type End = {
  readonly status: "done" | "failed" | "cancelled";
  readonly code: string | null;
  readonly result: Uint8Array<ArrayBuffer> | null;
};

export const endArchitectJob = async (id: string, { status, code, result }: End, at: number): Promise<void> => {
  await getDatabase().architectJob.updateMany({
    where: { id, ...UNFINISHED },
    data: { status, code, result, state: null, endedAt: new Date(at) },
  });
};

export const openArchitectTurn = (onWake: () => void, onLost: () => void): Promise<Turn> =>
  openLeaderLock({ channel: CHANNEL, lock: "countersign.architect" }, onWake, onLost);
