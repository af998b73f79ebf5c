/** The ledger of a workspace itself. Only the runner's role may call what writes. */
import type pg from "pg";
import { z } from "zod";
import { canonicalJson, type Json } from "@/lib/json";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import type { LedgerRecord, SignedRecord } from "@/lib/engine/ledger/record";
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { transaction, type Transaction } from "@/server/db/client";
import { APPEND_OWN_RECORD } from "@/server/store/sql/append-own-record";
import { trustRowsOf } from "@/server/store/trust/rows";

/** What statements of a ledger are sent through: a connection inside its transaction, or `ledgerClient` of one of Prisma's. */
export type LedgerClient = { readonly query: (text: string, values: unknown[]) => Promise<{ readonly rows: unknown[] }> };

/** Plain statements inside a transaction of Prisma's, so that what they store and what it changes are one. */
export const ledgerClient = (tx: Transaction): LedgerClient => ({
  query: async (text, values) => ({ rows: await tx.$queryRawUnsafe<unknown[]>(text, ...values) }),
});

const endSchema = z.object({ version: z.number().int(), head: hexDigestSchema });
export type LedgerEnd = { readonly version: number; readonly head: HexDigest };

/** All records of one ledger take turns: from here to the end of the transaction nobody else adds one. */
const holdOwnLedger = async (client: LedgerClient, workspaceId: string): Promise<void> => {
  await client.query("select pg_advisory_xact_lock(hashtextextended('countersign.attempts ' || $1, 0))::text", [workspaceId]);
};

/**
 * Appends one record to the workspace's own ledger, inside a transaction that says what it stands for.
 * @param sign makes the record that comes next
 */
export const appendOwnRecord = async (
  client: LedgerClient,
  workspaceId: string,
  sign: (end: LedgerEnd | null) => SignedRecord,
): Promise<SignedRecord> => {
  const ledgerId = workspaceLedgerId(workspaceId);
  await holdOwnLedger(client, workspaceId);
  const last = await client.query(
    "select seq + 1 as version, digest as head from ledger_record where workspace_id = $1 and run_id = $2 order by seq desc limit 1",
    [workspaceId, ledgerId],
  );
  const signed = sign(last.rows[0] === undefined ? null : endSchema.parse(last.rows[0]));
  const { record, digest, kid, signature } = signed;
  // Nothing of it is about a run that had cases or gates before.
  const trust = trustRowsOf(record, { cases: {}, gates: {} });
  await client.query(APPEND_OWN_RECORD, [
    workspaceId,
    ledgerId,
    record.seq,
    canonicalJson(record),
    digest,
    kid,
    signature,
    record.at,
    trust && JSON.stringify(trust),
  ]);

  return signed;
};

/** As `appendOwnRecord`, in a transaction of its own. */
export const appendOwnRecordAlone = (workspaceId: string, sign: (end: LedgerEnd | null) => SignedRecord): Promise<SignedRecord> =>
  transaction((client) => appendOwnRecord(client, workspaceId, sign));

/** Appends the records that `decide` makes while nobody else can add one, in one transaction. */
export const appendOwnRecords = (
  workspaceId: string,
  decide: (client: pg.PoolClient) => Promise<readonly ((end: LedgerEnd | null) => SignedRecord)[]>,
): Promise<void> =>
  transaction(async (client) => {
    await holdOwnLedger(client, workspaceId);
    for (const sign of await decide(client)) await appendOwnRecord(client, workspaceId, sign);
  });

/** Whether a command waits for its answer; two runners that find the same one take turns. */
export const isUnanswered = async (client: LedgerClient, workspaceId: string, commandId: string): Promise<boolean> => {
  const open = await client.query("select 1 from command where workspace_id = $1 and id = $2 and status = 'pending' for update", [
    workspaceId,
    commandId,
  ]);

  return open.rows.length > 0;
};

/** Answers a command with the record that it became, or with another outcome where that is of another ledger. */
export const answerWithRecord = async (
  client: LedgerClient,
  workspaceId: string,
  commandId: string,
  record: LedgerRecord,
  outcome: Json = { seq: record.seq, refusal: record.refusal },
): Promise<void> => {
  await client.query(
    `update command set status = $5, outcome = $3::jsonb, decided_at = to_timestamp($4::double precision / 1000)
     where workspace_id = $1 and id = $2`,
    [workspaceId, commandId, JSON.stringify(outcome), record.at, record.kind === "transition" ? "accepted" : "refused"],
  );
};

/**
 * Appends one record about a command and answers the command, both or neither. Nothing happens when it has its answer already.
 * @param outcome what it is answered with; without one, with the record
 */
export const appendAttempt = (
  workspaceId: string,
  commandId: string,
  sign: (end: LedgerEnd | null) => SignedRecord,
  outcome?: Json,
): Promise<void> =>
  transaction(async (client) => {
    if (!(await isUnanswered(client, workspaceId, commandId))) return;
    const { record } = await appendOwnRecord(client, workspaceId, sign);
    await answerWithRecord(client, workspaceId, commandId, record, outcome);
  });

type OwnRecord = {
  /** The record that comes next. */
  readonly sign: (end: LedgerEnd | null) => SignedRecord;
  /** What it stands for elsewhere in the database. */
  readonly project: (record: LedgerRecord) => Promise<void>;
};

/**
 * As `appendAttempt`, for what depends on the ledger as it stands: `decide` is asked while nobody else can add to it, in the
 * transaction that the record becomes part of.
 */
export const appendDecided = (
  workspaceId: string,
  commandId: string,
  decide: (client: pg.PoolClient) => Promise<OwnRecord>,
): Promise<void> =>
  transaction(async (client) => {
    if (!(await isUnanswered(client, workspaceId, commandId))) return;
    await holdOwnLedger(client, workspaceId);
    const { sign, project } = await decide(client);
    const { record } = await appendOwnRecord(client, workspaceId, sign);
    await project(record);
    await answerWithRecord(client, workspaceId, commandId, record);
  });
