import { toCanonicalJson } from "@/lib/json";
import { isRecordKind, tamperRecords } from "@/lib/engine/verify/tamper-records";
import type { TamperKind, Tampered } from "@/lib/engine/verify/tamper";
import type { LedgerExport, StoredCell } from "@/lib/engine/verify/verify";

export type LedgerTamperKind = Exclude<TamperKind, "deleted_run" | "forged_run" | "unsigned_run">;

export const LEDGER_TAMPER_KINDS: readonly LedgerTamperKind[] = [
  "edit",
  "reorder",
  "insert",
  "delete",
  "truncate",
  "rollback",
  "fork",
  "wrong_key",
  "swapped_cells",
  "lowered_label",
];

/** A careful attacker moves the values too. */
const cellsMoved = (cells: readonly StoredCell[], from: number, by: 1 | -1): readonly StoredCell[] =>
  cells.filter((cell) => by === 1 || cell.seq !== from).map((cell) => (cell.seq >= from ? { ...cell, seq: cell.seq + by } : cell));

const cut = (ledger: LedgerExport, count: number, head: LedgerExport["head"]): Tampered<LedgerExport> | null => {
  const first = ledger.records[count];
  if (!first || count === 0) return null;
  const document = {
    ...ledger,
    records: ledger.records.slice(0, count),
    cells: ledger.cells.filter(({ seq }) => seq < count),
    head,
  };

  return { document, run: ledger.run, seq: count, before: first.body, after: "" };
};

const cellText = (cell: StoredCell): string => toCanonicalJson({ path: cell.path, label: cell.label, commitment: cell.commitment });

const swapped = (ledger: LedgerExport): Tampered<LedgerExport> | null => {
  const { cells } = ledger;
  const one = cells.findIndex((cell, index) => cells.slice(index + 1).some(({ commitment }) => commitment !== cell.commitment));
  const other = cells.findLastIndex(({ commitment }) => commitment !== cells[one]?.commitment);
  const [first, second] = [cells[one], cells[other]];
  if (!first || !second) return null;
  const given = (to: StoredCell, from: StoredCell): StoredCell => ({ ...to, commitment: from.commitment, opened: from.opened });
  const place = first.seq <= second.seq ? first : second;
  const document = { ...ledger, cells: cells.with(one, given(first, second)).with(other, given(second, first)) };
  const after = given(place, place === first ? second : first);

  return { document, run: ledger.run, seq: place.seq, before: cellText(place), after: cellText(after) };
};

const TRUSTED = { integrity: "trusted", confidentiality: "public", provenance: [] } as const;

const lowered = (ledger: LedgerExport): Tampered<LedgerExport> | null => {
  const at = ledger.cells.findIndex(({ label }) => toCanonicalJson(label) !== toCanonicalJson(TRUSTED));
  const cell = ledger.cells[at];
  if (!cell) return null;
  const after = { ...cell, label: TRUSTED };

  return {
    document: { ...ledger, cells: ledger.cells.with(at, after) },
    run: ledger.run,
    seq: cell.seq,
    before: cellText(cell),
    after: cellText(after),
  };
};

/** Tampers with a copy; null: too small. */
export const tamperLedger = (kind: LedgerTamperKind, ledger: LedgerExport): Tampered<LedgerExport> | null => {
  const { records, head, run } = ledger;
  if (isRecordKind(kind)) {
    const tampered = tamperRecords(kind, records);
    if (!tampered) return null;
    const { seq, before, after } = tampered;
    const by = kind === "insert" ? 1 : -1;
    const isMoved = kind === "insert" || kind === "delete";
    const document = {
      ...ledger,
      records: tampered.records,
      cells: isMoved ? cellsMoved(ledger.cells, seq, by) : ledger.cells,
      head: isMoved ? { ...head, version: head.version + by } : head,
    };

    return { document, run, seq, before, after };
  }
  switch (kind) {
    case "truncate":
      return cut(ledger, records.length - 1, head);
    case "rollback": {
      const count = Math.ceil(records.length / 2);

      return cut(ledger, count, { version: count, digest: records[count - 1]?.digest ?? "" });
    }
    case "swapped_cells":
      return swapped(ledger);
    case "lowered_label":
      return lowered(ledger);
    default:
      return kind satisfies never;
  }
};
