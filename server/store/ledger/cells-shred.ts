import type { SignedRecord } from "@/lib/engine/ledger/record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { inTransaction, runInWorkspace } from "@/server/db/client";
import type { StoredCellRow } from "@/server/store/ledger/ledger";
import { answerWithRecord, appendOwnRecord, isUnanswered, type LedgerEnd, type LedgerTransaction } from "@/server/store/runs/attempts";

export type WrittenCell = { readonly seq: number; readonly index: number; readonly path: string };

export type Shredding = {
  readonly workspaceId: string;
  readonly runId: string;
  /** Null: retention. */
  readonly commandId: string | null;
  /** Null: refused; nothing destroyed. */
  readonly by: string | null;
  readonly reason: string;
  readonly at: number;
  readonly choose: (cells: readonly WrittenCell[]) => readonly WrittenCell[];
  readonly sign: (cells: readonly WrittenCell[], end: LedgerEnd | null) => SignedRecord;
};

const AT_ONCE = 1_000;
/** Of a shredded cell. */
const NO_BYTES = new Uint8Array();

const destroy = async (tx: LedgerTransaction, shredding: Shredding, cells: readonly WrittenCell[], recordSeq: number): Promise<void> => {
  const { workspaceId, runId, by: userId, reason, at } = shredding;
  if (userId === null) return;
  const row = { workspaceId, runId, recordSeq, userId, reason, at: new Date(at) };
  await tx.cellTombstone.createMany({ data: cells.map(({ seq, index }) => ({ ...row, seq, index })), skipDuplicates: true });
  await tx.$executeRaw`
    update cell set sealed = ''::bytea, wrapped_key = ''::bytea
    from unnest(${cells.map(({ seq }) => seq)}::int[], ${cells.map(({ index }) => index)}::int[]) as c(seq, index)
    where workspace_id = ${workspaceId}::uuid and run_id = ${runId}::uuid and cell.seq = c.seq and cell.index = c.index`;
  // Wakes holders, whose memory still has the values.
  await tx.$executeRaw`
    with recursive heirs as (
      select id from run where workspace_id = ${workspaceId}::uuid and id = ${runId}::uuid
      union
      select run.id from run join heirs on run.parent_run = heirs.id where run.workspace_id = ${workspaceId}::uuid
    )
    update run set lease_epoch = lease_epoch + 1, lease_until = null, wake_at = now()
    where id in (select id from heirs) and status not in ('completed', 'failed', 'cancelled', 'timeout', 'budget_exceeded')`;
};

export const shredSome = (shredding: Shredding): Promise<boolean> =>
  inTransaction(async (tx) => {
    const { workspaceId, runId, commandId } = shredding;
    if (commandId !== null && !(await isUnanswered(tx, workspaceId, commandId))) return false;
    // Locks the run, which completes the selection.
    const runs = await tx.$executeRaw`select 1 from run where workspace_id = ${workspaceId}::uuid and id = ${runId}::uuid for update`;
    const written = await tx.cell.findMany({
      // A fork's replaced prompts are part of its hash.
      where: { workspaceId, runId, NOT: [{ sealed: NO_BYTES }, { path: { startsWith: "$prompt." } }] },
      orderBy: [{ seq: "asc" }, { index: "asc" }],
      select: { seq: true, index: true, path: true },
    });
    const wanted = runs === 0 || shredding.by === null ? [] : shredding.choose(written);
    const cells = wanted.slice(0, AT_ONCE);
    if (commandId === null && cells.length === 0) return false;
    const signed = await appendOwnRecord(tx, workspaceId, (end) => shredding.sign(cells, end));
    if (cells.length > 0) await destroy(tx, shredding, cells, signed.record.seq);
    if (wanted.length > cells.length) return true;
    if (commandId !== null) await answerWithRecord(tx, workspaceId, commandId, signed.record);

    return false;
  });

const shredRecords = (workspaceId: string, runIds: readonly string[]): Promise<StoredRecord[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const named = await tx.cellTombstone.findMany({
      where: { workspaceId, runId: { in: [...new Set(runIds)] } },
      distinct: ["recordSeq"],
      select: { recordSeq: true },
    });

    return tx.ledgerRecord.findMany({
      where: { workspaceId, runId: getWorkspaceLedgerId(workspaceId), seq: { in: named.map(({ recordSeq }) => recordSeq) } },
      orderBy: { seq: "asc" },
      select: { seq: true, body: true, digest: true, kid: true, signature: true },
    });
  });

/** Lists shredding records; only ledgers with missing values need them. */
export const listShreds = async (workspaceId: string, cells: readonly StoredCellRow[]): Promise<StoredRecord[]> => {
  const runs = cells.filter(({ sealed }) => sealed.length === 0).map(({ runId }) => runId);

  return runs.length === 0 ? [] : shredRecords(workspaceId, runs);
};
