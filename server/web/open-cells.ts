/** Cells as the web process reads them: opened up to a clearance. */
import { labelSchema, type Classification, type Label } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import { mayBeShown } from "@/lib/engine/policy";
import type { StoredCell } from "@/lib/engine/verify";
import type { Vault } from "@/server/security/vault";
import type { StoredCellRow } from "@/server/store/ledger";

/** A label that does not parse is shown to nobody. */
const readLabel = (text: string): Label | null => {
  try {
    return labelSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/** The cells of a ledger have few labels. */
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

/**
 * @param clearance null opens everything, for a state that is computed on the server and redacted afterwards
 */
export const openCells = (
  vault: Vault,
  workspaceId: string,
  cells: readonly StoredCellRow[],
  clearance: Classification | null,
): StoredCell[] => {
  const labelOf = labelReader();

  return cells.map(({ sealed, wrappedKey, runId, ...cell }) => {
    const label = labelOf(cell.label);
    const isShown = clearance === null || (label !== null && mayBeShown(label, clearance));
    const place = { workspace: workspaceId, run: runId, ...cell };
    const plainLabel: Json = label;
    // That nothing is left is for everybody to see.
    const isOpened = isShown || sealed.length === 0;

    return { ...cell, label: plainLabel, opened: isOpened ? vault.openCell(place, { sealed, wrappedKey }) : null };
  });
};
