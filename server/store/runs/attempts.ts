/** A workspace's own ledger. Runner's role only. */
import type pg from "pg";
import { z } from "zod";
import { toCanonicalJson, type Json } from "@/lib/json";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import type { LedgerRecord, SignedRecord } from "@/lib/engine/ledger/record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { runTransaction, type Transaction } from "@/server/db/client";
import { APPEND_OWN_RECORD } from "@/server/store/sql/append-own-record";
import { toTrustRows } from "@/server/store/trust/rows";

/** A connection, or `getLedgerClient` of Prisma's. */
export type LedgerClient = { readonly query: (text: string, values: unknown[]) => Promise<{ readonly rows: unknown[] }> };

/** Runs plain statements in Prisma's transaction. */
export const getLedgerClient = (tx: Transaction): LedgerClient => ({
  query: async (text, values) => ({ rows: await tx.$queryRawUnsafe<unknown[]>(text, ...values) }),
});

const endSchema = z.object({ version: z.number().int(), head: hexDigestSchema });
export type LedgerEnd = { readonly version: number; readonly head: HexDigest };

const holdOwnLedger = async (client: LedgerClient, workspaceId: string): Promise<void> => {
  await client.query("select pg_advisory_xact_lock(hashtextextended('countersign.attempts ' || $1, 0))::text", [workspaceId]);
};

/** Appends a record in its change's transaction. */
export const appendOwnRecord = async (
  client: LedgerClient,
  workspaceId: string,
  sign: (end: LedgerEnd | null) => SignedRecord,
): Promise<SignedRecord> => {
  const ledgerId = getWorkspaceLedgerId(workspaceId);
  await holdOwnLedger(client, workspaceId);
  const last = await client.query(
    "select seq + 1 as version, digest as head from ledger_record where workspace_id = $1 and run_id = $2 order by seq desc limit 1",
    [workspaceId, ledgerId],
  );
  const signed = sign(last.rows[0] === undefined ? null : endSchema.parse(last.rows[0]));
  const { record, digest, kid, signature } = signed;
  // Workspace records have no earlier cases or gates.
  const trust = toTrustRows(record, { cases: {}, gates: {} });
  await client.query(APPEND_OWN_RECORD, [
    workspaceId,
    ledgerId,
    record.seq,
    toCanonicalJson(record),
    digest,
    kid,
    signature,
    record.at,
    trust && JSON.stringify(trust),
  ]);

  return signed;
};

/** `appendOwnRecord` in its own transaction. */
export const appendOwnRecordAlone = (workspaceId: string, sign: (end: LedgerEnd | null) => SignedRecord): Promise<SignedRecord> =>
  runTransaction((client) => appendOwnRecord(client, workspaceId, sign));

/** Calls `decide` under the ledger's lock. */
export const appendOwnRecords = (
  workspaceId: string,
  decide: (client: pg.PoolClient) => Promise<readonly ((end: LedgerEnd | null) => SignedRecord)[]>,
): Promise<void> =>
  runTransaction(async (client) => {
    await holdOwnLedger(client, workspaceId);
    for (const sign of await decide(client)) await appendOwnRecord(client, workspaceId, sign);
  });

/** Serialises runners. */
export const isUnanswered = async (client: LedgerClient, workspaceId: string, commandId: string): Promise<boolean> => {
  const open = await client.query("select 1 from command where workspace_id = $1 and id = $2 and status = 'pending' for update", [
    workspaceId,
    commandId,
  ]);

  return open.rows.length > 0;
};

/** Answers a command with its record or an outcome. */
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

/** Appends a record and answers its command, once. @param outcome default: the record */
export const appendAttempt = (
  workspaceId: string,
  commandId: string,
  sign: (end: LedgerEnd | null) => SignedRecord,
  outcome?: Json,
): Promise<void> =>
  runTransaction(async (client) => {
    if (!(await isUnanswered(client, workspaceId, commandId))) return;
    const { record } = await appendOwnRecord(client, workspaceId, sign);
    await answerWithRecord(client, workspaceId, commandId, record, outcome);
  });

type OwnRecord = {
  readonly sign: (end: LedgerEnd | null) => SignedRecord;
  readonly project: (record: LedgerRecord) => Promise<void>;
};

/** Calls `decide` under the ledger's lock. */
export const appendDecided = (
  workspaceId: string,
  commandId: string,
  decide: (client: pg.PoolClient) => Promise<OwnRecord>,
): Promise<void> =>
  runTransaction(async (client) => {
    if (!(await isUnanswered(client, workspaceId, commandId))) return;
    await holdOwnLedger(client, workspaceId);
    const { sign, project } = await decide(client);
    const { record } = await appendOwnRecord(client, workspaceId, sign);
    await project(record);
    await answerWithRecord(client, workspaceId, commandId, record);
  });
