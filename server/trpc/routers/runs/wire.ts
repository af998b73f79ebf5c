/** The ledger as it leaves the server: every record, and of the cells only what the reader may be shown. */
import type { Classification } from "@/lib/graph/label";
import type { Vault } from "@/server/security/vault";
import type { LedgerPage } from "@/server/store/ledger-page";
import { openCells } from "@/server/web/open-cells";

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
