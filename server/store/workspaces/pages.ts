/** A workspace's ledger, under row-level security. */
import { z } from "zod";
import { signedCheckpointSchema, type LogLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { RunHead, RunRecord } from "@/lib/engine/ledger/workspace-export";
import { runInWorkspace, runRead } from "@/server/db/client";
import { recordRow } from "@/server/store/ledger/rows";
import { columnsOf, queryRows } from "@/server/store/sql/rows";

export type LedgerCounts = { readonly records: number; readonly logged: number; readonly checkpoints: number };

/** Unlogged records are in no checkpoint yet. */
export const countLedger = (workspaceId: string): Promise<LedgerCounts> =>
  runInWorkspace(workspaceId, async (tx) => ({
    // First, so that logged never exceeds the records.
    logged: await tx.logLeaf.count({ where: { workspaceId } }),
    checkpoints: await tx.checkpoint.count({ where: { workspaceId } }),
    records: await tx.ledgerRecord.count({ where: { workspaceId } }),
  }));

const signed = (row: { workspaceId: string; count: bigint; root: string; at: bigint; kid: string; signature: string }): SignedCheckpoint =>
  signedCheckpointSchema.parse({
    checkpoint: { origin: row.workspaceId, count: Number(row.count), root: row.root, at: Number(row.at) },
    kid: row.kid,
    signature: row.signature,
  });

const CHECKPOINT = { workspaceId: true, count: true, root: true, at: true, kid: true, signature: true } as const;

/** Newest first. @param below count, exclusive; null: all */
export const listCheckpointsBelow = (workspaceId: string, below: number | null, limit: number): Promise<SignedCheckpoint[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.checkpoint.findMany({
      where: { workspaceId, ...(below === null ? {} : { count: { lt: below } }) },
      orderBy: { count: "desc" },
      take: limit,
      select: CHECKPOINT,
    });

    return rows.map(signed);
  });

/** The checkpoint of this count, or null. */
export const findCheckpoint = (workspaceId: string, count: number): Promise<SignedCheckpoint | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const row = await tx.checkpoint.findFirst({ where: { workspaceId, count }, select: CHECKPOINT });

    return row && signed(row);
  });

/** Entries from an index. */
export const listLeavesFrom = (workspaceId: string, index: number, limit: number): Promise<LogLeaf[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const rows = await tx.logLeaf.findMany({
      where: { workspaceId, index: { gte: index } },
      orderBy: { index: "asc" },
      take: limit,
      select: { runId: true, seq: true, digest: true },
    });

    return rows.map(({ runId: run, seq, digest }) => ({ run, seq, digest }));
  });

/** A record's log index; null while unlogged. */
export const placeInLog = (
  workspaceId: string,
  runId: string,
  seq: number,
): Promise<{ readonly index: number; readonly leaf: LogLeaf } | null> =>
  runInWorkspace(workspaceId, async (tx) => {
    const row = await tx.logLeaf.findFirst({ where: { workspaceId, runId, seq }, select: { index: true, digest: true } });

    return row && { index: Number(row.index), leaf: { run: runId, seq, digest: row.digest } };
  });

export type WorkspaceHeads = {
  /** Includes the workspace's ledger. */
  readonly heads: readonly RunHead[];
  /** Runs without a head: forged or deleted. */
  readonly headless: readonly string[];
};

export const listWorkspaceHeads = (workspaceId: string): Promise<WorkspaceHeads> =>
  runInWorkspace(workspaceId, async (tx) => {
    const runs = await tx.run.findMany({
      where: { workspaceId, version: { gt: 0 } },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      select: { id: true, version: true, head: true, forkSeq: true },
    });
    const own = getWorkspaceLedgerId(workspaceId);
    const last = await tx.ledgerRecord.findFirst({
      where: { workspaceId, runId: own },
      orderBy: { seq: "desc" },
      select: { seq: true, digest: true },
    });
    const heads = runs
      // Without own records, nothing to verify.
      .filter(({ version, forkSeq }) => version > (forkSeq ?? 0))
      .map(({ id, version, head }) => ({ run: id, version, digest: head }));

    const headless = await queryRows(tx, runRow, {
      text: `select distinct run_id::text as run from ledger_record r
      where workspace_id = $1::uuid and run_id <> $2::uuid and not exists (select 1 from run where run.id = r.run_id)`,
      values: [workspaceId, own],
    });

    return {
      heads: last ? [...heads, { run: own, version: last.seq + 1, digest: last.digest }] : heads,
      headless: headless.map(({ run }) => run),
    };
  });

const runRow = z.object({ run: z.string() });
const runRecordRow = recordRow.extend({ run: z.string() });

/** Records by run and number. @param after last one read */
export const listRecordsAfter = (
  workspaceId: string,
  after: { readonly run: string; readonly seq: number } | null,
  limit: number,
): Promise<RunRecord[]> =>
  runRead(workspaceId, (client) => {
    const { run, seq } = after ?? { run: "00000000-0000-0000-0000-000000000000", seq: -1 };

    return queryRows(client, runRecordRow, {
      text: `select ${columnsOf(runRecordRow, { run: "run_id" })} from ledger_record
      where workspace_id = $1 and (run_id, seq) > ($2::uuid, $3::int) order by run_id, seq limit $4::int`,
      values: [workspaceId, run, seq, limit],
    });
  });
