/** Runner's role only. */
import { toCanonicalJson, type Json } from "@/lib/json";
import type { HexDigest } from "@/lib/hash";
import type { LedgerRecord, SignedRecord } from "@/lib/engine/ledger/record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { inTransaction, type Transaction } from "@/server/db/client";
import { Prisma } from "@/server/db/generated/client";
import { toTrustRows } from "@/server/store/trust/rows";

/** The transaction of a change and its record. */
export type LedgerTransaction = Transaction;

export type LedgerEnd = { readonly version: number; readonly head: HexDigest };

const holdOwnLedger = async (tx: LedgerTransaction, workspaceId: string): Promise<void> => {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('countersign.attempts ' || ${workspaceId}, 0))`;
};

type Hold = (tx: LedgerTransaction) => Promise<readonly string[]>;

/** In one order, against deadlocks. */
const holdLedgers = async (tx: LedgerTransaction, workspaceId: string, hold: Hold | undefined): Promise<void> => {
  const others = hold ? await hold(tx) : [];
  for (const id of [...new Set([workspaceId, ...others])].toSorted()) await holdOwnLedger(tx, id);
};

export const appendOwnRecord = async (
  tx: LedgerTransaction,
  workspaceId: string,
  sign: (end: LedgerEnd | null) => SignedRecord,
): Promise<SignedRecord> => {
  const ledger = { workspaceId, runId: getWorkspaceLedgerId(workspaceId) };
  await holdOwnLedger(tx, workspaceId);
  const last = await tx.ledgerRecord.findFirst({ where: ledger, orderBy: { seq: "desc" }, select: { seq: true, digest: true } });
  const signed = sign(last && { version: last.seq + 1, head: last.digest });
  const { record, digest, kid, signature } = signed;
  const { seq } = record;
  await tx.ledgerRecord.createMany({ data: { ...ledger, seq, body: toCanonicalJson(record), digest, kid, signature } });
  // Workspace records have no earlier cases or gates.
  const trust = toTrustRows(record, { cases: {}, gates: {} });
  if (trust) await tx.trustEvent.createMany({ data: trust.map((event) => ({ ...ledger, seq, at: new Date(record.at), ...event })) });

  return signed;
};

export const appendOwnRecordAlone = (workspaceId: string, sign: (end: LedgerEnd | null) => SignedRecord): Promise<SignedRecord> =>
  inTransaction((tx) => appendOwnRecord(tx, workspaceId, sign));

/** Calls `decide` under the ledger's lock. @param hold returns further workspaces to lock */
export const appendOwnRecords = (
  workspaceId: string,
  decide: (tx: LedgerTransaction) => Promise<readonly ((end: LedgerEnd | null) => SignedRecord)[]>,
  hold?: Hold,
): Promise<void> =>
  inTransaction(async (tx) => {
    await holdLedgers(tx, workspaceId, hold);
    for (const sign of await decide(tx)) await appendOwnRecord(tx, workspaceId, sign);
  });

/** Serialises runners. */
export const isUnanswered = async (tx: LedgerTransaction, workspaceId: string, commandId: string): Promise<boolean> => {
  const open = await tx.$executeRaw`
    select 1 from command where workspace_id = ${workspaceId}::uuid and id = ${commandId}::uuid and status = 'pending' for update`;

  return open > 0;
};

export const answerWithRecord = async (
  tx: LedgerTransaction,
  workspaceId: string,
  commandId: string,
  { seq, at, kind, refusal }: LedgerRecord,
  outcome: Json = { seq, refusal },
): Promise<void> => {
  await tx.command.updateMany({
    where: { workspaceId, id: commandId },
    data: { status: kind === "transition" ? "accepted" : "refused", outcome: outcome ?? Prisma.JsonNull, decidedAt: new Date(at) },
  });
};

/** Appends a record and answers its command, once. @param outcome default: the record */
export const appendAttempt = (
  workspaceId: string,
  commandId: string,
  sign: (end: LedgerEnd | null) => SignedRecord,
  outcome?: Json,
): Promise<void> =>
  inTransaction(async (tx) => {
    if (!(await isUnanswered(tx, workspaceId, commandId))) return;
    const { record } = await appendOwnRecord(tx, workspaceId, sign);
    await answerWithRecord(tx, workspaceId, commandId, record, outcome);
  });

type OwnRecord = {
  readonly sign: (end: LedgerEnd | null) => SignedRecord;
  readonly project: (record: LedgerRecord) => Promise<void>;
};

export const appendDecided = (
  workspaceId: string,
  commandId: string,
  decide: (tx: LedgerTransaction) => Promise<OwnRecord>,
  hold?: Hold,
): Promise<void> =>
  inTransaction(async (tx) => {
    if (!(await isUnanswered(tx, workspaceId, commandId))) return;
    await holdLedgers(tx, workspaceId, hold);
    const { sign, project } = await decide(tx);
    const { record } = await appendOwnRecord(tx, workspaceId, sign);
    await project(record);
    await answerWithRecord(tx, workspaceId, commandId, record);
  });
