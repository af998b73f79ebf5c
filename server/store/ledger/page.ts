import { runStatusSchema, type RunStatus } from "@/lib/engine/event";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { runRead } from "@/server/db/client";
import { LINEAGE, type StoredCellRow } from "@/server/store/ledger/ledger";

export type LedgerPage = {
  readonly head: { readonly version: number; readonly digest: string };
  readonly status: RunStatus;
  readonly records: readonly StoredRecord[];
  readonly cells: readonly StoredCellRow[];
};

type HeadRow = { readonly version: number; readonly head: string; readonly status: string };
type CellRow = Omit<StoredCellRow, "runId" | "sealed" | "wrappedKey"> & {
  readonly run_id: string;
  readonly sealed: Buffer;
  readonly wrapped_key: Buffer;
};

const HEAD = "select version, head, status from run where workspace_id = $1 and id = $2";

// This ledger's ranges in its run and ancestors.
const RECORDS = `${LINEAGE} select seq, body, digest, kid, signature
  from lineage join ledger_record on run_id = id and seq >= from_seq and seq < to_seq
  where workspace_id = $1 and seq > $3 and seq < $4 order by seq`;

const CELLS = `${LINEAGE} select run_id, seq, index, path, label, commitment, sealed, wrapped_key
  from lineage join cell on run_id = id and seq >= from_seq and seq < to_seq
  where workspace_id = $1 and seq > $3 and seq < $4 order by seq, index`;

const cellOf = ({ run_id: runId, sealed, wrapped_key: wrappedKey, ...cell }: CellRow): StoredCellRow => ({
  ...cell,
  runId,
  sealed: new Uint8Array(sealed),
  wrappedKey: new Uint8Array(wrappedKey),
});

/** Up to `limit` records after `afterSeq`; null for an unknown run. */
export const getLedgerPage = (workspaceId: string, runId: string, afterSeq: number, limit: number): Promise<LedgerPage | null> =>
  runRead(workspaceId, async (client) => {
    const heads = await client.query<HeadRow>({ name: "page-head", text: HEAD, values: [workspaceId, runId] });
    const [run] = heads.rows;
    if (!run) return null;
    // The head bounds the rest: later records belong to the next page.
    const page = [workspaceId, runId, afterSeq, Math.min(run.version, afterSeq + 1 + limit)];
    const records = await client.query<StoredRecord>({ name: "page-records", text: RECORDS, values: page });
    const cells = await client.query<CellRow>({ name: "page-cells", text: CELLS, values: page });

    return {
      head: { version: run.version, digest: run.head },
      status: runStatusSchema.parse(run.status),
      records: records.rows,
      cells: cells.rows.map(cellOf),
    };
  });
