/** Runner's role only. */
import type pg from "pg";
import { z } from "zod";
import { getDatabase, getPool, runTransaction } from "@/server/db/client";
import { columnsOf, queryRow, queryRows, type SqlClient } from "@/server/store/sql/rows";

const rotationRow = z.object({
  version: z.number().int(),
  finished: z.boolean(),
  total: z.number().int(),
  rewrapped: z.number().int(),
  unreadable: z.number().int(),
});
export type Rotation = z.infer<typeof rotationRow>;

const FINISHED = { finished: "finished_at is not null" };
const COLUMNS = columnsOf(rotationRow, FINISHED);
/** Shredded cells have no key or version. */
const OLDER = "vault_version(wrapped_key) between 1 and $1::int - 1";

/** Requests a rotation. Idempotent. */
export const startRotation = async (version: number): Promise<void> => {
  await getPool().query(
    `insert into vault_rotation (version, total) select $1::int, count(*) from cell where ${OLDER} on conflict do nothing`,
    [version],
  );
};

/** Progress of a rotation, or null. */
export const findRotationTo = (version: number): Promise<Rotation | null> =>
  queryRow(getPool(), rotationRow, { text: `select ${COLUMNS} from vault_rotation where version = $1`, values: [version] });

/** Newest requested version, or 0. */
export const getNewestRotation = async (): Promise<number> =>
  (await getDatabase().vaultRotation.aggregate({ _max: { version: true } }))._max.version ?? 0;

/** Serialises key file changes: two keys with one version would lose cells. */
export const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
  runTransaction(async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtext('countersign.vault'))");

    return work();
  });

const countRow = z.object({ cells: z.number().int() });

export const countCellsUnderOlder = async (version: number, client: SqlClient = getPool()): Promise<number> =>
  (await queryRow(client, countRow, { text: `select count(*)::int as cells from cell where ${OLDER}`, values: [version] }))?.cells ?? 0;

export type SealedCommand = { readonly workspace: string; readonly id: string; readonly body: Uint8Array };

/** Unanswered commands, under any version. */
export const listWaitingCommands = async (): Promise<SealedCommand[]> => {
  const where = { status: "pending" };
  const rows = await getDatabase().command.findMany({ where, select: { workspaceId: true, id: true, body: true } });

  return rows.map(({ workspaceId: workspace, ...command }) => ({ workspace, ...command }));
};

const JOB_PARTS = ["body", "state", "result"] as const;

export type SealedJobPart = {
  readonly workspace: string;
  readonly id: string;
  readonly part: (typeof JOB_PARTS)[number];
  readonly sealed: Uint8Array<ArrayBuffer>;
};

/** Sealed parts of architect jobs. */
export const sealedJobParts = async (): Promise<SealedJobPart[]> => {
  const jobs = await getDatabase().architectJob.findMany({
    select: { workspaceId: true, id: true, body: true, state: true, result: true },
  });

  return jobs.flatMap(({ workspaceId: workspace, id, ...parts }) =>
    JOB_PARTS.flatMap((part) => {
      const sealed = parts[part];

      return sealed === null || sealed.length === 0 ? [] : [{ workspace, id, part, sealed }];
    }),
  );
};

/** Skips parts changed meanwhile. */
export const storeJobPart = async ({ id, part, sealed }: SealedJobPart, next: Uint8Array<ArrayBuffer>): Promise<void> => {
  await getDatabase().architectJob.updateMany({ where: { id, [part]: sealed }, data: { [part]: next } });
};

const wrappedRow = z.object({
  workspace: z.string(),
  run: z.string(),
  seq: z.number(),
  index: z.number(),
  path: z.string(),
  label: z.string(),
  wrappedKey: z.instanceof(Uint8Array),
});
export type WrappedCell = Readonly<z.infer<typeof wrappedRow>>;

const jobRow = rotationRow.extend({ cursorRun: z.string().nullable(), cursorSeq: z.number(), cursorIndex: z.number() });
type Job = z.infer<typeof jobRow>;

const NO_RUN = "00000000-0000-0000-0000-000000000000";

const nextCells = (client: pg.PoolClient, job: Job, limit: number): Promise<WrappedCell[]> =>
  queryRows(client, wrappedRow, {
    text: `select ${columnsOf(wrappedRow, { workspace: "workspace_id", run: "run_id" })} from cell
     where ${OLDER} and (run_id, seq, index) > ($2::uuid, $3::int, $4::int) order by run_id, seq, index limit $5`,
    values: [job.version, job.cursorRun ?? NO_RUN, job.cursorRun === null ? -1 : job.cursorSeq, job.cursorIndex, limit],
  });

type Rewrapped = WrappedCell & { readonly next: Uint8Array };

/** Skips cells shredded meanwhile. @returns the number stored */
const store = async (client: pg.PoolClient, cells: readonly Rewrapped[]): Promise<number> => {
  const stored = await client.query(
    `update cell set wrapped_key = c.next from unnest($1::uuid[], $2::int[], $3::int[], $4::bytea[], $5::bytea[])
       as c(run_id, seq, index, before, next)
     where cell.run_id = c.run_id and cell.seq = c.seq and cell.index = c.index and cell.wrapped_key = c.before`,
    [
      cells.map(({ run }) => run),
      cells.map(({ seq }) => seq),
      cells.map(({ index }) => index),
      cells.map(({ wrappedKey }) => Buffer.from(wrappedKey)),
      cells.map(({ next }) => Buffer.from(next)),
    ],
  );

  return stored.rowCount ?? 0;
};

/** Done when only unopenable cells remain. */
const endPass = async (client: pg.PoolClient, job: Job): Promise<"done" | "more"> => {
  if ((await countCellsUnderOlder(job.version, client)) > job.unreadable) {
    await client.query("update vault_rotation set cursor_run = null, unreadable = 0 where version = $1", [job.version]);

    return "more";
  }
  await client.query("update vault_rotation set finished_at = now() where finished_at is null and version <= $1", [job.version]);

  return "done";
};

export type RotationStep = {
  readonly newest: number;
  readonly limit: number;
  /** Null when it cannot be unwrapped. */
  readonly rewrap: (cell: WrappedCell) => Uint8Array | null;
  /** An older version is still needed elsewhere. */
  readonly isHeldUp: (version: number) => Promise<boolean>;
};

/** Advances the newest rotation by a batch. @returns `none`: no work, or another runner's; `held`: the old key is still needed */
export const rotateSome = ({ newest, limit, rewrap, isHeldUp }: RotationStep): Promise<"none" | "no_key" | "held" | "more" | "done"> =>
  runTransaction(async (client) => {
    const job = await queryRow(client, jobRow, {
      text: `select ${columnsOf(jobRow, FINISHED)} from vault_rotation
       where finished_at is null order by version desc limit 1 for update skip locked`,
    });
    if (!job) return "none";
    if (newest < job.version) return "no_key";
    const cells = await nextCells(client, job, limit);
    const last = cells.at(-1);
    if (!last) return (await isHeldUp(job.version)) ? "held" : endPass(client, job);
    const rewrapped = cells.flatMap((cell) => {
      const next = rewrap(cell);

      return next ? [{ ...cell, next }] : [];
    });
    await client.query(
      `update vault_rotation set rewrapped = rewrapped + $2, unreadable = unreadable + $3, cursor_run = $4, cursor_seq = $5, cursor_index = $6
       where version = $1`,
      [job.version, await store(client, rewrapped), cells.length - rewrapped.length, last.run, last.seq, last.index],
    );

    return "more";
  });
