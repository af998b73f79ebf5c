import { findWithheld, type Reader } from "@/lib/engine/labels/reading";
import { labelSchema } from "@/lib/graph/label";
import type { StoredCell } from "@/lib/engine/verify/verify";
import type { Vault } from "@/server/security/vault";
import type { LedgerPage } from "@/server/store/ledger/page";
import { openCells } from "@/server/reading/open-cells";

/** `withheld`: hidden only because of a review. */
export type WireCell = StoredCell & { readonly withheld?: "review" };

const toldWhy = (cell: StoredCell, reader: Reader): WireCell => {
  if (cell.opened !== null) return cell;
  const label = labelSchema.safeParse(cell.label).data ?? null;

  return findWithheld(reader, { label, from: [cell] }) === "review" ? { ...cell, withheld: "review" } : cell;
};

export const toWirePage = (vault: Vault, workspaceId: string, page: LedgerPage, reader: Reader) => {
  const last = page.records.at(-1)?.seq ?? -1;

  return {
    head: page.head,
    status: page.status,
    records: page.records,
    cells: openCells(vault, workspaceId, page.cells, reader).map((cell) => toldWhy(cell, reader)),
    more: page.records.length > 0 && last < page.head.version - 1,
  };
};
