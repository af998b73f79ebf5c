import { z } from "zod";
import { batchCalls } from "@/lib/batch-calls";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import { logLeafSchema, signedCheckpointSchema, type LogLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { Frontier } from "@/lib/engine/ledger/merkle";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { getDatabase, getPool, runTransaction } from "@/server/db/client";
import { recordRow } from "@/server/store/ledger/rows";
import { columnsOf, execute, hideValue, queryRow, queryRows, type SqlClient } from "@/server/store/sql/rows";

export type LoggedCheckpoint = { readonly signed: SignedCheckpoint; readonly frontier: Frontier };
export type RunRecord = StoredRecord & { readonly run: string };

const checkpointRow = z.object({
  workspaceId: z.string(),
  count: z.coerce.number().int(),
  root: z.string(),
  frontier: z.array(hexDigestSchema),
  at: z.coerce.number().int(),
  kid: z.string(),
  signature: z.string(),
});

export const readCheckpoint = (row: unknown): LoggedCheckpoint => {
  const { workspaceId: origin, count, root, frontier, at, kid, signature } = checkpointRow.parse(row);

  return {
    signed: signedCheckpointSchema.parse({ checkpoint: { origin, count, root, at }, kid, signature }),
    frontier: { count, peaks: frontier },
  };
};

const runRecordRow = recordRow.extend({ run: z.string() });
const LEAF = columnsOf(logLeafSchema, { run: "run_id" });

/** Leaves in order. @param to exclusive; null: all */
export const listLeaves = async (workspaceId: string, from: number, to: number | null): Promise<readonly LogLeaf[]> => {
  const rows = await getDatabase().logLeaf.findMany({
    where: { workspaceId, index: { gte: from, ...(to === null ? {} : { lt: to }) } },
    orderBy: { index: "asc" },
    select: { runId: true, seq: true, digest: true },
  });

  return rows.map(({ runId: run, seq, digest }) => ({ run, seq, digest }));
};

/** The log has a prefix of each run's records. */
const UNLOGGED = `
with ends as (
  select id, coalesce((select max(seq) + 1 from log_leaf where run_id = id), first) as next
  from (select id, coalesce(fork_seq, 0) as first from run where workspace_id = $1 union all select $2::uuid, 0) as ledger
  where id <> all($3::uuid[])
)
select ${columnsOf(runRecordRow, { run: "id" })} from ends join ledger_record on run_id = id and seq >= next
where workspace_id = $1 order by id, seq limit $4`;

export type OpenLog = {
  newest(): Promise<LoggedCheckpoint | null>;
  unlogged(except: readonly string[], limit: number): Promise<RunRecord[]>;
  leaves(fromIndex: number, limit: number): Promise<readonly LogLeaf[]>;
  append(fromIndex: number, leaves: readonly LogLeaf[]): Promise<void>;
  keep(checkpoint: LoggedCheckpoint): Promise<void>;
};

const openLog = (client: SqlClient, workspaceId: string): OpenLog => ({
  newest: async () => {
    const text = `select ${columnsOf(checkpointRow)} from checkpoint where workspace_id = $1 order by count desc limit 1`;
    const row = await queryRow(client, checkpointRow, { text, values: [workspaceId] });

    return row && readCheckpoint(row);
  },
  unlogged: (except, limit) =>
    queryRows(client, runRecordRow, { text: UNLOGGED, values: [workspaceId, getWorkspaceLedgerId(workspaceId), except, limit] }),
  leaves: (fromIndex, limit) =>
    queryRows(client, logLeafSchema, {
      text: `select ${LEAF} from log_leaf where workspace_id = $1 and index >= $2 order by index limit $3`,
      values: [workspaceId, fromIndex, limit],
    }),
  append: async (fromIndex, leaves) => {
    await execute(client, {
      text: `insert into log_leaf (workspace_id, index, run_id, seq, digest)
       select $1::uuid, $2::bigint + place - 1, run_id, seq, digest
       from unnest($3::uuid[], $4::int[], $5::text[]) with ordinality as leaf(run_id, seq, digest, place)`,
      values: [workspaceId, fromIndex, leaves.map(({ run }) => run), leaves.map(({ seq }) => seq), leaves.map(({ digest }) => digest)],
    });
  },
  keep: async ({ signed: { checkpoint, kid, signature }, frontier }) => {
    await execute(client, {
      text: "insert into checkpoint (workspace_id, count, root, frontier, at, kid, signature) values ($1, $2, $3, $4, $5, $6, $7)",
      values: [checkpoint.origin, checkpoint.count, checkpoint.root, frontier.peaks, checkpoint.at, kid, signature],
    });
  },
});

/** Extends the log in one serialised transaction, which may outlast Prisma's transactions. */
export const extendLog = <T>(workspaceId: string, work: (log: OpenLog) => Promise<T>): Promise<T> =>
  runTransaction(async (client) => {
    await execute(client, {
      text: "select pg_advisory_xact_lock(hashtextextended('countersign.log ' || $1, 0))",
      values: [workspaceId],
    });

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

const MOST_AT_ONCE = 200;

const readEnds = batchCalls(async (workspaceId, runIds: readonly string[]): Promise<readonly LoggedEnd[]> => {
  const rows = await queryRows(getPool(), endRow, {
    name: "logged-ends",
    text: `select l.version, l.digest, c.count, c.root from unnest(${hideValue("uuid[]", 2)}) with ordinality as asked (run, place)
     left join lateral (select seq + 1 as version, digest from log_leaf where run_id = asked.run order by seq desc limit 1) l on true
     left join (select count, root from checkpoint where workspace_id = $1 order by count desc limit 1) c on true
     order by place`,
    values: [workspaceId, runIds],
  });

  return rows.map(({ version, digest, count, root }) => ({
    end: version === null || digest === null ? null : { version, digest },
    checkpoint: count === null || root === null ? null : { count, root },
  }));
}, MOST_AT_ONCE);

/** Logged position, in total and for one run. */
export const getLoggedEnd = (workspaceId: string, runId: string): Promise<LoggedEnd> => readEnds(workspaceId, runId);

export const logLeaves = (workspaceId: string, count: number | null = null): Promise<readonly LogLeaf[]> =>
  listLeaves(workspaceId, 0, count);

export const findNewestCheckpoint = async (workspaceId: string): Promise<SignedCheckpoint | null> => {
  const row = await getDatabase().checkpoint.findFirst({ where: { workspaceId }, orderBy: { count: "desc" } });

  return row && readCheckpoint(row).signed;
};

/** Oldest first. */
export const listAllWorkspaces = async (): Promise<string[]> => {
  const rows = await getDatabase().workspace.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }], select: { id: true } });

  return rows.map(({ id }) => id);
};

const idRow = z.object({ id: z.string() });

const listIds = async (text: string, value: unknown): Promise<string[]> =>
  (await queryRows(getPool(), idRow, { text, values: [value] })).map(({ id }) => id);

/** Workspaces without a checkpoint since then. */
export const listWorkspacesToCheck = (sinceMs: number): Promise<string[]> =>
  listIds("select id from workspace w where not exists (select 1 from checkpoint c where c.workspace_id = w.id and c.at > $1)", sinceMs);

/** Includes the workspace's ledger. */
export const listRecordedRuns = (workspaceId: string): Promise<string[]> =>
  listIds("select distinct run_id as id from ledger_record where workspace_id = $1", workspaceId);

/** Excludes a fork's ancestors. */
export const ownRecords = async (workspaceId: string, runId: string): Promise<RunRecord[]> => {
  const rows = await getDatabase().ledgerRecord.findMany({
    where: { workspaceId, runId },
    orderBy: { seq: "asc" },
    omit: { workspaceId: true, runId: true },
  });

  return rows.map((row) => ({ run: runId, ...row }));
};
