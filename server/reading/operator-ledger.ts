import { labelSchema } from "@/lib/graph/label";
import { findWithheld, type Sealed } from "@/lib/engine/labels/reading";
import type { LedgerExport, StoredCell } from "@/lib/engine/verify/verify";
import type { Vault } from "@/server/security/vault";
import { sealedCells } from "./sealed-cells";

const isUnderReview = (cell: StoredCell, sealed: Sealed): boolean => {
  const label = labelSchema.safeParse(cell.label).data ?? null;

  return findWithheld({ clearance: "secret", sealed }, { label, from: [cell] }) === "review";
};

/** Removes values under review, which operators must not see in passing. */
export const openOperatorLedger = async (
  vault: Vault,
  ledger: LedgerExport,
): Promise<{ readonly ledger: LedgerExport; readonly underReview: number }> => {
  const sealed = await sealedCells(vault, ledger.workspace, ledger.run, ledger.cells);
  const kept = ledger.cells.map((cell) => (isUnderReview(cell, sealed) ? { ...cell, opened: null } : cell));

  return { ledger: { ...ledger, cells: kept }, underReview: kept.filter((cell, index) => cell !== ledger.cells[index]).length };
};
