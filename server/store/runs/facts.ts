import { z } from "zod";
import { getPool } from "@/server/db/client";
import type { StoredCellRow } from "@/server/store/ledger/ledger";

const factRow = z.object({
  run_id: z.string(),
  seq: z.number(),
  index: z.number(),
  path: z.string(),
  label: z.string(),
  commitment: z.string(),
  sealed: z.instanceof(Uint8Array),
  wrapped_key: z.instanceof(Uint8Array),
});

/** Other runs' newest `limit` facts: cells under `$fact.<topic>`. */
export const loadFacts = async (
  workspaceId: string,
  runId: string,
  paths: readonly string[],
  limit: number,
): Promise<(StoredCellRow & { readonly runId: string })[]> => {
  const found = await getPool().query(
    `select cell.run_id, cell.seq, cell.index, cell.path, cell.label, cell.commitment, cell.sealed, cell.wrapped_key
     from cell join run on run.id = cell.run_id and run.workspace_id = cell.workspace_id
     where cell.workspace_id = $1 and cell.path = any ($2) and cell.run_id <> $3 and run.frozen is null and not run.simulated
     order by run.created_at desc, cell.run_id, cell.seq desc, cell.index
     limit $4`,
    [workspaceId, [...paths], runId, limit],
  );

  return z
    .array(factRow)
    .parse(found.rows)
    .map(({ run_id: from, sealed, wrapped_key: wrappedKey, ...cell }) => ({
      ...cell,
      runId: from,
      sealed: Uint8Array.from(sealed),
      wrappedKey: Uint8Array.from(wrappedKey),
    }));
};
