/** Samples that a joining runner checks. */
import { z } from "zod";
import { getDatabase, getPool } from "@/server/db/client";
import { queryRows } from "@/server/store/sql/rows";

const NO_BYTES = new Uint8Array();

/** A few unshredded cells. */
export const sampleCells = async (limit: number) => {
  const cells = await getDatabase().cell.findMany({
    where: { wrappedKey: { not: NO_BYTES } },
    take: limit,
    select: { workspaceId: true, runId: true, seq: true, index: true, path: true, label: true, sealed: true, wrappedKey: true },
  });

  return cells.map(({ workspaceId: workspace, runId: run, ...cell }) => ({ workspace, run, ...cell }));
};

const kidRow = z.object({ kid: z.string() });

/** Keys of some records and all checkpoints. */
export const sampleKids = async (): Promise<string[]> => {
  const text = "select distinct kid from (select kid from ledger_record limit 1000) sampled union select distinct kid from checkpoint";

  return (await queryRows(getPool(), kidRow, { text })).map(({ kid }) => kid);
};
