import type pg from "pg";
import { z } from "zod";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { runInWorkspace, runTransaction } from "@/server/db/client";
import type { StoredCellRow } from "@/server/store/ledger/ledger";
import { answerWithRecord, appendOwnRecord, isUnanswered, type LedgerEnd } from "@/server/store/runs/attempts";

const cellRow = z.object({ seq: z.number(), index: z.number(), path: z.string() });
export type WrittenCell = z.infer<typeof cellRow>;

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

/** Wakes holders, whose memory still has the values. */
const FENCE = `
with recursive heirs as (
  select id from run where workspace_id = $1 and id = $2
  union
  select run.id from run join heirs on run.parent_run = heirs.id where run.workspace_id = $1
)
update run set lease_epoch = lease_epoch + 1, lease_until = null, wake_at = now()
where id in (select id from heirs) and status not in ('completed', 'failed', 'cancelled', 'timeout')`;

const destroy = async (client: pg.PoolClient, shredding: Shredding, cells: readonly WrittenCell[], recordSeq: number): Promise<void> => {
  const { workspaceId, runId, by, reason, at } = shredding;
  const places = [cells.map(({ seq }) => seq), cells.map(({ index }) => index)];
  await client.query(
    `insert into cell_tombstone (workspace_id, run_id, seq, index, record_seq, user_id, reason, at)
     select $1::uuid, $2::uuid, c.seq, c.index, $5, $6, $7, to_timestamp($8::double precision / 1000)
     from unnest($3::int[], $4::int[]) as c(seq, index) on conflict do nothing`,
    [workspaceId, runId, ...places, recordSeq, by, reason, at],
  );
  await client.query(
    `update cell set sealed = ''::bytea, wrapped_key = ''::bytea from unnest($3::int[], $4::int[]) as c(seq, index)
     where workspace_id = $1 and run_id = $2 and cell.seq = c.seq and cell.index = c.index`,
    [workspaceId, runId, ...places],
  );
  await client.query(FENCE, [workspaceId, runId]);
};

/** Shreds at most a thousand cells. @returns whether more remain */
export const shredSome = (shredding: Shredding): Promise<boolean> =>
  runTransaction(async (client) => {
    const { workspaceId, runId, commandId } = shredding;
    if (commandId !== null && !(await isUnanswered(client, workspaceId, commandId))) return false;
    // Locks the run, which completes the selection.
    const run = await client.query("select 1 from run where workspace_id = $1 and id = $2 for update", [workspaceId, runId]);
    // A fork's replaced prompts are part of its hash.
    const rows = await client.query(
      `select seq, index, path from cell
       where workspace_id = $1 and run_id = $2 and octet_length(sealed) > 0 and path not like '$prompt.%' order by seq, index`,
      [workspaceId, runId],
    );
    const wanted = run.rowCount === 0 || shredding.by === null ? [] : shredding.choose(z.array(cellRow).parse(rows.rows));
    const cells = wanted.slice(0, AT_ONCE);
    if (commandId === null && cells.length === 0) return false;
    const signed = await appendOwnRecord(client, workspaceId, (end) => shredding.sign(cells, end));
    if (cells.length > 0) await destroy(client, shredding, cells, signed.record.seq);
    if (wanted.length > cells.length) return true;
    if (commandId !== null) await answerWithRecord(client, workspaceId, commandId, signed.record);

    return false;
  });

const recordRow = z.object({ seq: z.number(), body: z.string(), digest: z.string(), kid: z.string(), signature: z.string() });

const shredRecords = (workspaceId: string, runIds: readonly string[]): Promise<StoredRecord[]> =>
  runInWorkspace(workspaceId, async (tx) => {
    const named = await tx.cellTombstone.findMany({
      where: { workspaceId, runId: { in: [...new Set(runIds)] } },
      distinct: ["recordSeq"],
      select: { recordSeq: true },
    });
    const records = await tx.ledgerRecord.findMany({
      where: { workspaceId, runId: getWorkspaceLedgerId(workspaceId), seq: { in: named.map(({ recordSeq }) => recordSeq) } },
      orderBy: { seq: "asc" },
      select: { seq: true, body: true, digest: true, kid: true, signature: true },
    });

    return z.array(recordRow).parse(records);
  });

/** Lists shredding records; only ledgers with missing values need them. */
export const listShreds = async (workspaceId: string, cells: readonly StoredCellRow[]): Promise<StoredRecord[]> => {
  const runs = cells.filter(({ sealed }) => sealed.length === 0).map(({ runId }) => runId);

  return runs.length === 0 ? [] : shredRecords(workspaceId, runs);
};
