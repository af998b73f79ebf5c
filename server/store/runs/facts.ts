import { getPool } from "@/server/db/client";
import type { StoredCellRow } from "@/server/store/ledger/ledger";
import { cellRow } from "@/server/store/ledger/rows";
import { columnsOf, queryRows } from "@/server/store/sql/rows";

/** Other runs' newest `limit` facts: cells under `$fact.<topic>`. */
export const loadFacts = (workspaceId: string, runId: string, paths: readonly string[], limit: number): Promise<StoredCellRow[]> =>
  queryRows(getPool(), cellRow, {
    text: `select ${columnsOf(cellRow, {}, "cell.")}
     from cell join run on run.id = cell.run_id and run.workspace_id = cell.workspace_id
     where cell.workspace_id = $1 and cell.path = any ($2) and cell.run_id <> $3 and run.frozen is null and not run.simulated
     order by run.created_at desc, cell.run_id, cell.seq desc, cell.index
     limit $4`,
    values: [workspaceId, [...paths], runId, limit],
  });
