import type pg from "pg";
import { z } from "zod";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import { logLeafSchema, signedCheckpointSchema, type LogLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { Frontier } from "@/lib/engine/ledger/merkle";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { getPool, runTransaction } from "@/server/db/client";

export type LoggedCheckpoint = { readonly signed: SignedCheckpoint; readonly frontier: Frontier };
export type RunRecord = StoredRecord & { readonly run: string };

const checkpointRow = z.object({
  workspace_id: z.string(),
  count: z.coerce.number().int(),
  root: z.string(),
  frontier: z.array(hexDigestSchema),
  at: z.coerce.number().int(),
  kid: z.string(),
  signature: z.string(),
});

export const readCheckpoint = (row: unknown): LoggedCheckpoint => {
  const { workspace_id: origin, count, root, frontier, at, kid, signature } = checkpointRow.parse(row);

  return {
    signed: signedCheckpointSchema.parse({ checkpoint: { origin, count, root, at }, kid, signature }),
    frontier: { count, peaks: frontier },
  };
};

const recordRow = z.object({
  run: z.string(),
  seq: z.number(),
  body: z.string(),
  digest: z.string(),
  kid: z.string(),
  signature: z.string(),
});

const newestOf = async (client: pg.Pool | pg.PoolClient, workspaceId: string): Promise<LoggedCheckpoint | null> => {
  const { rows } = await client.query("select * from checkpoint where workspace_id = $1 order by count desc limit 1", [workspaceId]);

  return rows[0] === undefined ? null : readCheckpoint(rows[0]);
};

/** The log has a prefix of each run's records. */
const UNLOGGED = `
with ends as (
  select id, coalesce((select max(seq) + 1 from log_leaf where run_id = id), first) as next
  from (select id, coalesce(fork_seq, 0) as first from run where workspace_id = $1 union all select $2::uuid, 0) as ledger
  where id <> all($3::uuid[])
)
select id as run, seq, body, digest, kid, signature from ends join ledger_record on run_id = id and seq >= next
where workspace_id = $1 order by id, seq limit $4`;

export type OpenLog = {
  newest(): Promise<LoggedCheckpoint | null>;
  /** Each run's in order. */
  unlogged(except: readonly string[], limit: number): Promise<RunRecord[]>;
  leaves(fromIndex: number, limit: number): Promise<readonly LogLeaf[]>;
  append(fromIndex: number, leaves: readonly LogLeaf[]): Promise<void>;
  keep(checkpoint: LoggedCheckpoint): Promise<void>;
};

const openLog = (client: pg.PoolClient, workspaceId: string): OpenLog => ({
  newest: () => newestOf(client, workspaceId),
  unlogged: async (except, limit) => {
    const { rows } = await client.query(UNLOGGED, [workspaceId, getWorkspaceLedgerId(workspaceId), except, limit]);

    return z.array(recordRow).parse(rows);
  },
  leaves: async (fromIndex, limit) => {
    const { rows } = await client.query(
      "select run_id as run, seq, digest from log_leaf where workspace_id = $1 and index >= $2 order by index limit $3",
      [workspaceId, fromIndex, limit],
    );

    return z.array(logLeafSchema).parse(rows);
  },
  append: async (fromIndex, leaves) => {
    await client.query(
      `insert into log_leaf (workspace_id, index, run_id, seq, digest)
       select $1::uuid, $2::bigint + place - 1, run_id, seq, digest
       from unnest($3::uuid[], $4::int[], $5::text[]) with ordinality as leaf(run_id, seq, digest, place)`,
      [workspaceId, fromIndex, leaves.map(({ run }) => run), leaves.map(({ seq }) => seq), leaves.map(({ digest }) => digest)],
    );
  },
  keep: async ({ signed: { checkpoint, kid, signature }, frontier }) => {
    await client.query(
      "insert into checkpoint (workspace_id, count, root, frontier, at, kid, signature) values ($1, $2, $3, $4, $5, $6, $7)",
      [checkpoint.origin, checkpoint.count, checkpoint.root, frontier.peaks, checkpoint.at, kid, signature],
    );
  },
});

/** Extends the log in one transaction, serialised. */
export const extendLog = <T>(workspaceId: string, work: (log: OpenLog) => Promise<T>): Promise<T> =>
  runTransaction(async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended('countersign.log ' || $1, 0))", [workspaceId]);

    return work(openLog(client, workspaceId));
  });

const endRow = z.object({
  version: z.number().nullable(),
  digest: hexDigestSchema.nullable(),
  count: z.coerce.number().int().nullable(),
  root: hexDigestSchema.nullable(),
});

export type LoggedEnd = {
  readonly end: { readonly version: number; readonly digest: HexDigest } | null;
  readonly checkpoint: { readonly count: number; readonly root: HexDigest } | null;
};

/** Logged position, in total and for one run. */
export const getLoggedEnd = async (workspaceId: string, runId: string): Promise<LoggedEnd> => {
  const { rows } = await getPool().query({
    name: "logged-end",
    text: `select l.version, l.digest, c.count, c.root from (select 1) as one
     left join lateral (select seq + 1 as version, digest from log_leaf where run_id = $2 order by seq desc limit 1) l on true
     left join lateral (select count, root from checkpoint where workspace_id = $1 order by count desc limit 1) c on true`,
    values: [workspaceId, runId],
  });
  const { version, digest, count, root } = endRow.parse(rows[0]);

  return {
    end: version === null || digest === null ? null : { version, digest },
    checkpoint: count === null || root === null ? null : { count, root },
  };
};

/** Leaves, all or the first `count`. */
export const logLeaves = async (workspaceId: string, count: number | null = null): Promise<readonly LogLeaf[]> => {
  const { rows } = await getPool().query(
    "select run_id as run, seq, digest from log_leaf where workspace_id = $1 order by index limit $2",
    [workspaceId, count],
  );

  return z.array(logLeafSchema).parse(rows);
};

/** The newest checkpoint, or null. */
export const findNewestCheckpoint = async (workspaceId: string): Promise<SignedCheckpoint | null> =>
  (await newestOf(getPool(), workspaceId))?.signed ?? null;

const idRow = z.object({ id: z.string() });

/** Oldest first. */
export const listAllWorkspaces = async (): Promise<string[]> => {
  const { rows } = await getPool().query("select id from workspace order by created_at, id");

  return z
    .array(idRow)
    .parse(rows)
    .map(({ id }) => id);
};

/** Workspaces without a checkpoint since then. */
export const listWorkspacesToCheck = async (sinceMs: number): Promise<string[]> => {
  const { rows } = await getPool().query(
    "select id from workspace w where not exists (select 1 from checkpoint c where c.workspace_id = w.id and c.at > $1)",
    [sinceMs],
  );

  return z
    .array(idRow)
    .parse(rows)
    .map(({ id }) => id);
};

/** Includes the workspace's ledger. */
export const listRecordedRuns = async (workspaceId: string): Promise<string[]> => {
  const { rows } = await getPool().query("select distinct run_id as id from ledger_record where workspace_id = $1", [workspaceId]);

  return z
    .array(idRow)
    .parse(rows)
    .map(({ id }) => id);
};

/** Excludes a fork's ancestors. */
export const ownRecords = async (workspaceId: string, runId: string): Promise<RunRecord[]> => {
  const { rows } = await getPool().query(
    `select run_id as run, seq, body, digest, kid, signature from ledger_record where workspace_id = $1 and run_id = $2 order by seq`,
    [workspaceId, runId],
  );

  return z.array(recordRow).parse(rows);
};
