import { labelSchema, type Label } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import { findWithheld, type Reader } from "@/lib/engine/labels/reading";
import type { StoredCell } from "@/lib/engine/verify/verify";
import type { Vault } from "@/server/security/vault";
import type { StoredCellRow } from "@/server/store/ledger/ledger";

/** Unparsable labels are shown to no one. */
const readLabel = (text: string): Label | null => {
  try {
    return labelSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

const labelReader = () => {
  const read = new Map<string, Label | null>();

  return (text: string): Label | null => {
    const known = read.get(text);
    if (known !== undefined) return known;
    const label = readLabel(text);
    read.set(text, label);

    return label;
  };
};

type IsShown = (label: Label | null, place: Pick<StoredCellRow, "seq" | "index">) => boolean;

const openWhere = (vault: Vault, workspaceId: string, cells: readonly StoredCellRow[], isShown: IsShown): StoredCell[] => {
  const labelOf = labelReader();

  return cells.map(({ sealed, wrappedKey, runId, ...cell }) => {
    const label = labelOf(cell.label);
    const place = { workspace: workspaceId, run: runId, ...cell };
    const plainLabel: Json = label;
    // Anyone may see that the cell is empty.
    const isOpened = sealed.length === 0 || isShown(label, cell);

    return { ...cell, label: plainLabel, opened: isOpened ? vault.openCell(place, { sealed, wrappedKey }) : null };
  });
};

/** Opens a ledger's cells for a reader. */
export const openCells = (vault: Vault, workspaceId: string, cells: readonly StoredCellRow[], reader: Reader): StoredCell[] =>
  openWhere(vault, workspaceId, cells, (label, place) => findWithheld(reader, { label, from: [place] }) === null);

/** Opens every value; importers are listed in output-paths.test.ts. */
export const openEveryCell = (vault: Vault, workspaceId: string, cells: readonly StoredCellRow[]): StoredCell[] =>
  openWhere(vault, workspaceId, cells, () => true);
