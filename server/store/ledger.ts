/** The ledger of a run: one statement to append, two to load. */
import { z } from "zod";
import type { PublishedGraph } from "@/lib/graph/document";
import { canonicalJson, type Json } from "@/lib/json";
import type { SignedRecord } from "@/lib/engine/record";
import type { RunState } from "@/lib/engine/state";
import type { StoredRecord } from "@/lib/engine/stored-record";
import { pool } from "@/server/db/client";
import type { SealedCell } from "@/server/security/vault";
import { movedRowOf, openedRowOf } from "@/server/store/approval-rows";
import { caseRowsOf } from "@/server/store/case-rows";
import { APPEND_RECORD } from "@/server/store/sql/append-record";
import { trustRowsOf } from "@/server/store/trust-rows";

export type StoredCellRow = SealedCell & {
  /** The run that wrote it: of a fork's ledger, also one of those that it goes on from. */
  readonly runId: string;
  readonly seq: number;
  readonly index: number;
  readonly path: string;
  readonly label: string;
  readonly commitment: string;
};

/** One record ready to be stored, with the state it leads to. */
export type Append = {
  /** What the run executes as a whole. */
  readonly published: PublishedGraph;
  readonly before: RunState;
  readonly after: RunState;
  readonly signed: SignedRecord;
  readonly cells: readonly SealedCell[];
  readonly epoch: number;
  /** When the runner must look at the run again by itself, ms since 1970. */
  readonly wakeAt: number | null;
  readonly command: { readonly id: string; readonly outcome: Json } | null;
};

const asJson = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));

/** @returns false when version, head or lease have moved: then nothing at all was written. */
export const appendRecord = async (append: Append): Promise<boolean> => {
  const { before, after, signed, cells } = append;
  const { record } = signed;
  const moved = await pool().query<{ moved: number }>({
    name: "append-record",
    text: APPEND_RECORD,
    values: [
      record.workspace,
      record.run,
      before.version,
      before.head,
      append.epoch,
      signed.digest,
      after.status,
      after.currentNode,
      after.refusals,
      after.totalTokens,
      after.costMicroUsd,
      append.wakeAt,
      record.at,
      canonicalJson(record),
      signed.kid,
      signed.signature,
      cells.map((_, index) => index),
      record.writes.map((write) => write.path),
      record.writes.map((write) => canonicalJson(write.label)),
      record.writes.map((write) => write.commitment),
      cells.map((cell) => Buffer.from(cell.sealed)),
      cells.map((cell) => Buffer.from(cell.wrappedKey)),
      openedRowOf(append.published, record, after),
      movedRowOf(record),
      append.command?.id ?? null,
      record.kind === "transition" ? "accepted" : "refused",
      asJson(append.command?.outcome),
      trustRowsOf(record, after),
      caseRowsOf(record, after),
    ],
  });

  return moved.rows[0]?.moved === 1;
};

const recordRow = z.object({ seq: z.number(), body: z.string(), digest: z.string(), kid: z.string(), signature: z.string() });
const cellRow = z.object({
  run_id: z.string(),
  seq: z.number(),
  index: z.number(),
  path: z.string(),
  label: z.string(),
  commitment: z.string(),
  sealed: z.instanceof(Uint8Array),
  wrapped_key: z.instanceof(Uint8Array),
});

const bytes = (value: Uint8Array) => Uint8Array.from(value);

/** The runs that a run goes on from, with the range of records that each of them has in its ledger. Deeper than 32 nobody forks. */
export const LINEAGE = `
with recursive lineage as (
  select id, parent_run, coalesce(fork_seq, 0) as from_seq, 2147483647 as to_seq, 0 as depth
  from run where workspace_id = $1 and id = $2
  union all
  select parent.id, parent.parent_run, coalesce(parent.fork_seq, 0), least(lineage.from_seq, lineage.to_seq), lineage.depth + 1
  from lineage join run parent on parent.workspace_id = $1 and parent.id = lineage.parent_run
  where lineage.depth < 32
)`;

/** Everything of a run's ledger from `fromSeq` on, in order, a fork's with the records before it. Two statements, whatever its length. */
export const loadLedger = async (
  workspaceId: string,
  runId: string,
  fromSeq = 0,
): Promise<{ records: StoredRecord[]; cells: StoredCellRow[] }> => {
  const client = await pool().connect();
  try {
    await client.query("begin read only");
    // Row-level security of the web role; the runner's role sees every workspace and is bound by the conditions below.
    await client.query("select set_config('countersign.workspace', $1, true)", [workspaceId]);
    const of = [workspaceId, runId, fromSeq];
    const records = await client.query(
      `${LINEAGE} select seq, body, digest, kid, signature from lineage join ledger_record on run_id = id and seq >= from_seq and seq < to_seq
       where workspace_id = $1 and seq >= $3 order by seq`,
      of,
    );
    const cells = await client.query(
      `${LINEAGE} select run_id, seq, index, path, label, commitment, sealed, wrapped_key
       from lineage join cell on run_id = id and seq >= from_seq and seq < to_seq
       where workspace_id = $1 and seq >= $3 order by seq, index`,
      of,
    );
    await client.query("commit");

    return {
      records: z.array(recordRow).parse(records.rows),
      cells: z
        .array(cellRow)
        .parse(cells.rows)
        .map(({ run_id: from, sealed, wrapped_key: wrappedKey, ...cell }) => ({
          ...cell,
          runId: from,
          sealed: bytes(sealed),
          wrappedKey: bytes(wrappedKey),
        })),
    };
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
};
