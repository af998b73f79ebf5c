/** The ledger as it leaves the server: every record, and of the cells only what the reader may be shown. */
import { labelSchema, type Classification } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import { mayBeShown } from "@/lib/engine/policy";
import type { StoredCell } from "@/lib/engine/verify";
import type { Vault } from "@/server/security/vault";
import type { StoredCellRow } from "@/server/store/ledger";
import type { LedgerPage } from "@/server/store/ledger-page";

/** A label that does not parse is shown to nobody. */
const readLabel = (text: string) => {
  try {
    return labelSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/**
 * @param clearance null opens everything, for a state that is computed on the server and redacted afterwards
 */
export const openCells = (
  vault: Vault,
  workspaceId: string,
  cells: readonly StoredCellRow[],
  clearance: Classification | null,
): StoredCell[] =>
  cells.map(({ sealed, wrappedKey, runId, ...cell }) => {
    const label = readLabel(cell.label);
    const isShown = clearance === null || (label !== null && mayBeShown(label, clearance));
    const place = { workspace: workspaceId, run: runId, ...cell };
    const plainLabel: Json = label;

    return { ...cell, label: plainLabel, opened: isShown ? vault.openCell(place, { sealed, wrappedKey }) : null };
  });

/** What the client gets of a page. */
export const wirePage = (vault: Vault, workspaceId: string, page: LedgerPage, clearance: Classification) => {
  const last = page.records.at(-1)?.seq ?? -1;

  return {
    head: page.head,
    status: page.status,
    records: page.records,
    cells: openCells(vault, workspaceId, page.cells, clearance),
    /** Whether there are records after these. */
    more: page.records.length > 0 && last < page.head.version - 1,
  };
};
