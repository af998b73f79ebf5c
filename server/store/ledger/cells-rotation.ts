/** Rewraps cell keys. Runner's role only. */
import type pg from "pg";
import { z } from "zod";
import { getPool, runTransaction } from "@/server/db/client";

const rotationRow = z.object({
  version: z.number().int(),
  finished: z.boolean(),
  total: z.number().int(),
  rewrapped: z.number().int(),
  unreadable: z.number().int(),
});
export type Rotation = z.infer<typeof rotationRow>;

const COLUMNS = "version, finished_at is not null as finished, total, rewrapped, unreadable";
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
export const findRotationTo = async (version: number): Promise<Rotation | null> => {
  const { rows } = await getPool().query(`select ${COLUMNS} from vault_rotation where version = $1`, [version]);

  return rows[0] === undefined ? null : rotationRow.parse(rows[0]);
};

const newestRow = z.object({ version: z.number().int() });

/** Newest requested version, or 0. */
export const getNewestRotation = async (): Promise<number> => {
  const { rows } = await getPool().query("select coalesce(max(version), 0)::int as version from vault_rotation");

  return newestRow.parse(rows[0]).version;
};

/** Serialises key file changes: two keys with one version would lose cells. */
export const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
  runTransaction(async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtext('countersign.vault'))");

    return work();
  });

const countRow = z.object({ cells: z.number().int() });

/** Counts cells under older versions. */
export const countCellsUnderOlder = async (version: number, client: pg.Pool | pg.PoolClient = getPool()): Promise<number> => {
  const { rows } = await client.query(`select count(*)::int as cells from cell where ${OLDER}`, [version]);

  return countRow.parse(rows[0]).cells;
};

const bytes = z.instanceof(Uint8Array);
const commandRow = z.object({ workspace: z.string(), id: z.string(), body: bytes });
export type SealedCommand = z.infer<typeof commandRow>;

/** Unanswered commands, under any version. */
export const listWaitingCommands = async (): Promise<SealedCommand[]> => {
  const { rows } = await getPool().query("select workspace_id as workspace, id, body from command where status = 'pending'");

  return z.array(commandRow).parse(rows);
};

const jobPart = z.object({ workspace: z.string(), id: z.string(), part: z.enum(["body", "state", "result"]), sealed: bytes });
export type SealedJobPart = z.infer<typeof jobPart>;

/** Sealed parts of architect jobs. */
export const sealedJobParts = async (): Promise<SealedJobPart[]> => {
  const { rows } = await getPool().query(
    `select workspace_id as workspace, id, part, sealed
     from architect_job, lateral (values ('body', body), ('state', state), ('result', result)) as parts(part, sealed)
     where octet_length(sealed) > 0`,
  );

  return z.array(jobPart).parse(rows);
};

/** Skips parts changed meanwhile. */
export const storeJobPart = async ({ id, part, sealed }: SealedJobPart, next: Uint8Array): Promise<void> => {
  await getPool().query(`update architect_job set ${part} = $2 where id = $1 and ${part} = $3`, [
    id,
    Buffer.from(next),
    Buffer.from(sealed),
  ]);
};

const cellRow = z.object({
  workspace: z.string(),
  run: z.string(),
  seq: z.number(),
  index: z.number(),
  path: z.string(),
  label: z.string(),
  wrapped_key: bytes,
});
export type WrappedCell = Omit<z.infer<typeof cellRow>, "wrapped_key"> & { readonly wrappedKey: Uint8Array };

const jobRow = rotationRow.extend({ cursor_run: z.string().nullable(), cursor_seq: z.number(), cursor_index: z.number() });
type Job = z.infer<typeof jobRow>;

const NO_RUN = "00000000-0000-0000-0000-000000000000";

const nextCells = async (client: pg.PoolClient, job: Job, limit: number): Promise<WrappedCell[]> => {
  const { rows } = await client.query(
    `select workspace_id as workspace, run_id as run, seq, index, path, label, wrapped_key from cell
     where ${OLDER} and (run_id, seq, index) > ($2::uuid, $3::int, $4::int) order by run_id, seq, index limit $5`,
    [job.version, job.cursor_run ?? NO_RUN, job.cursor_run === null ? -1 : job.cursor_seq, job.cursor_index, limit],
  );

  return z
    .array(cellRow)
    .parse(rows)
    .map(({ wrapped_key: wrappedKey, ...cell }) => ({ ...cell, wrappedKey }));
};

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
    const found = await client.query(
      `select ${COLUMNS}, cursor_run, cursor_seq, cursor_index from vault_rotation
       where finished_at is null order by version desc limit 1 for update skip locked`,
    );
    if (found.rows[0] === undefined) return "none";
    const job = jobRow.parse(found.rows[0]);
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
