import { z } from "zod";
import { runStatusSchema, type RunStatus } from "@/lib/engine/event";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { runRead } from "@/server/db/client";
import { LINEAGE, type StoredCellRow } from "@/server/store/ledger/ledger";
import { cellRow, recordRow } from "@/server/store/ledger/rows";
import { columnsOf, queryRow, queryRows } from "@/server/store/sql/rows";

export type LedgerPage = {
  readonly head: { readonly version: number; readonly digest: string };
  readonly status: RunStatus;
  readonly records: readonly StoredRecord[];
  readonly cells: readonly StoredCellRow[];
};

const headRow = z.object({ version: z.number(), head: z.string(), status: runStatusSchema });

const HEAD = `select ${columnsOf(headRow)} from run where workspace_id = $1 and id = $2`;

// This ledger's ranges in its run and ancestors.
const RECORDS = `${LINEAGE} select ${columnsOf(recordRow)}
  from lineage join ledger_record on run_id = id and seq >= from_seq and seq < to_seq
  where workspace_id = $1 and seq > $3 and seq < $4 order by seq`;

const CELLS = `${LINEAGE} select ${columnsOf(cellRow)}
  from lineage join cell on run_id = id and seq >= from_seq and seq < to_seq
  where workspace_id = $1 and seq > $3 and seq < $4 order by seq, index`;

/** Up to `limit` records after `afterSeq`; null for an unknown run. */
export const getLedgerPage = (workspaceId: string, runId: string, afterSeq: number, limit: number): Promise<LedgerPage | null> =>
  runRead(workspaceId, async (client) => {
    const run = await queryRow(client, headRow, { name: "page-head", text: HEAD, values: [workspaceId, runId] });
    if (!run) return null;
    const { version, head: digest, status } = run;
    // The head bounds the rest: later records belong to the next page.
    const values = [workspaceId, runId, afterSeq, Math.min(version, afterSeq + 1 + limit)];
    const records = await queryRows(client, recordRow, { name: "page-records", text: RECORDS, values });
    const cells = await queryRows(client, cellRow, { name: "page-cells", text: CELLS, values });

    return { head: { version, digest }, status, records, cells };
  });
