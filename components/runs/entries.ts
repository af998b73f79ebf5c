/** Parsed ledger records with their cells. */
import { signedRecordSchema, type LedgerRecord } from "@/lib/engine/ledger/record";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import type { StoredCell } from "@/lib/engine/verify/verify";

/** `withheld`: the cell is hidden because a review case about it is open. */
export type EntryCell = StoredCell & { readonly withheld?: "review" };

export type LedgerBatch = { readonly records: readonly StoredRecord[]; readonly cells: readonly EntryCell[] };

export type Entry = StoredRecord & {
  /** null: the stored text is not a valid record; it is shown as such and the verifier reports it. */
  readonly record: LedgerRecord | null;
  readonly cells: readonly EntryCell[];
};

/** Parses a stored text; null when it is not a record. */
export const recordIn = ({ body, digest, kid, signature }: StoredRecord): LedgerRecord | null => {
  try {
    return signedRecordSchema.safeParse({ record: JSON.parse(body) as unknown, digest, kid, signature }).data?.record ?? null;
  } catch {
    return null;
  }
};

/** @param parsed the record in each text, in the order of the batch */
export const parseEntriesWith = ({ records, cells }: LedgerBatch, parsed: readonly (LedgerRecord | null)[]): Entry[] => {
  const cellsBySeq = Map.groupBy(cells, (cell) => cell.seq);

  return records.map((stored, index) => ({ ...stored, record: parsed[index] ?? null, cells: cellsBySeq.get(stored.seq) ?? [] }));
};

export const parseEntries = (batch: LedgerBatch): Entry[] => parseEntriesWith(batch, batch.records.map(recordIn));

/** Whether a write of this record is hidden because it is under review. */
export const isInReview = ({ cells }: Entry): boolean => cells.some(({ withheld }) => withheld === "review");

/** Whether a record closes a review, after which the values are shown to cleared readers. */
export const endsReview = ({ record }: Entry): boolean => record?.control.some(({ type }) => type === "case_closed") === true;

/** Whether a cell was shredded. @param entries ordered by seq without gaps */
export const isShreddedAt = (entries: readonly Entry[], seq: number, index: number): boolean =>
  entries[seq]?.cells.some((cell) => cell.index === index && cell.opened === "shredded") === true;
