/** Samples that a joining runner checks. */
import { z } from "zod";
import { getPool } from "@/server/db/client";

const bytes = z.instanceof(Uint8Array);
const cellSchema = z.object({
  workspace: z.string(),
  run: z.string(),
  seq: z.number(),
  index: z.number(),
  path: z.string(),
  label: z.string(),
  sealed: bytes,
  wrapped_key: bytes,
});

export type SomeCell = z.infer<typeof cellSchema>;

/** A few unshredded cells. */
export const sampleCells = async (limit: number): Promise<SomeCell[]> => {
  const found = await getPool().query(
    `select workspace_id as workspace, run_id as run, seq, index, path, label, sealed, wrapped_key from cell
     where length(wrapped_key) > 0 limit $1`,
    [limit],
  );

  return z.array(cellSchema).parse(found.rows);
};

const kidSchema = z.object({ kid: z.string() });

/** Keys of some records and all checkpoints. */
export const sampleKids = async (): Promise<string[]> => {
  const found = await getPool().query(
    "select distinct kid from (select kid from ledger_record limit 1000) sampled union select distinct kid from checkpoint",
  );

  return z
    .array(kidSchema)
    .parse(found.rows)
    .map(({ kid }) => kid);
};
