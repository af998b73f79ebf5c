import { z } from "zod";
import type { FactPlace } from "@/lib/facts/command";
import { getPool, runRead } from "@/server/db/client";
import type { StoredCellRow } from "@/server/store/ledger/ledger";
import { cellRow } from "@/server/store/ledger/rows";
import { columnsOf, queryRow, queryRows } from "@/server/store/sql/rows";

/** As `getFactSubject`. */
const SUBJECT = `cell.run_id || '/' || cell.seq || '/' || cell.index`;
const RUNS = "cell join run on run.id = cell.run_id and run.workspace_id = cell.workspace_id";
const IN_USE = "run.frozen is null and not run.simulated";

/** Other runs' newest `limit` facts: cells under `$fact.<topic>`. */
export const loadFacts = (
  workspaceId: string,
  runId: string,
  paths: readonly string[],
  limit: number,
  retracted: readonly string[] = [],
): Promise<StoredCellRow[]> =>
  queryRows(getPool(), cellRow, {
    text: `select ${columnsOf(cellRow, {}, "cell.")}
     from ${RUNS}
     where cell.workspace_id = $1 and cell.path = any ($2) and cell.run_id <> $3 and ${IN_USE} and ${SUBJECT} <> all ($5)
     order by run.created_at desc, cell.run_id, cell.seq desc, cell.index
     limit $4`,
    values: [workspaceId, [...paths], runId, limit, [...retracted]],
  });

export const hasFact = async (workspaceId: string, { run, seq, index }: FactPlace): Promise<boolean> =>
  (await queryRow(getPool(), z.object({ found: z.literal(1) }), {
    text: `select 1 as "found" from cell
     where workspace_id = $1 and run_id = $2 and seq = $3 and index = $4 and path like '$fact.%'`,
    values: [workspaceId, run, seq, index],
  })) !== null;

const factRow = cellRow.extend({ foundAt: z.string(), graph: z.string().nullable() });
export type FactRow = z.infer<typeof factRow>;

/** `<microseconds since 1970>/<subject>` of a page's last fact. */
export const factCursorSchema = z.string().regex(/^\d{1,20}\/[0-9a-f-]{36}\/\d{1,9}\/\d{1,9}$/);

const MICROSECONDS = "(extract(epoch from run.created_at) * 1000000)::bigint";

export const listFacts = (workspaceId: string, cursor: string | null, limit: number): Promise<FactRow[]> => {
  const [at = "", run = "", seq = "", index = ""] = cursor?.split("/") ?? [];

  return runRead(workspaceId, (client) =>
    queryRows(client, factRow, {
      text: `select ${columnsOf(factRow, { foundAt: `${MICROSECONDS}::text`, graph: "(select name from graph where graph.id = run.graph_id and graph.workspace_id = run.workspace_id)" }, "cell.")}
       from ${RUNS}
       where cell.workspace_id = $1 and cell.path like '$fact.%' and ${IN_USE}${
         cursor === null ? "" : ` and (${MICROSECONDS}, cell.run_id, cell.seq, cell.index) < ($3::bigint, $4::uuid, $5::int, $6::int)`
       }
       order by ${MICROSECONDS} desc, cell.run_id desc, cell.seq desc, cell.index desc
       limit $2`,
      values: [workspaceId, limit, ...(cursor === null ? [] : [at, run, seq, index])],
    }),
  );
};
