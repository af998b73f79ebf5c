/** Ledger records with cells. */
import type { EntryCell } from "@/components/values/visible-value";
import { signedRecordSchema, type LedgerRecord } from "@/lib/engine/ledger/record";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";

export type LedgerBatch = { readonly records: readonly StoredRecord[]; readonly cells: readonly EntryCell[] };

export type Entry = StoredRecord & {
  /** Null: invalid text, which the verifier reports. */
  readonly record: LedgerRecord | null;
  readonly cells: readonly EntryCell[];
};

/** Null: not a record. */
export const recordIn = ({ body, digest, kid, signature }: StoredRecord): LedgerRecord | null => {
  try {
    return signedRecordSchema.safeParse({ record: JSON.parse(body) as unknown, digest, kid, signature }).data?.record ?? null;
  } catch {
    return null;
  }
};

/** @param parsed records in batch order */
export const parseEntriesWith = ({ records, cells }: LedgerBatch, parsed: readonly (LedgerRecord | null)[]): Entry[] => {
  const cellsBySeq = Map.groupBy(cells, (cell) => cell.seq);

  return records.map((stored, index) => ({ ...stored, record: parsed[index] ?? null, cells: cellsBySeq.get(stored.seq) ?? [] }));
};

export const parseEntries = (batch: LedgerBatch): Entry[] => parseEntriesWith(batch, batch.records.map(recordIn));

export const isInReview = ({ cells }: Entry): boolean => cells.some(({ withheld }) => withheld === "review");

/** Returns whether a review closes, after which cleared readers see its values. */
export const endsReview = ({ record }: Entry): boolean => record?.control.some(({ type }) => type === "case_closed") === true;

/** Returns whether a cell was shredded. @param entries by seq without gaps */
export const isShreddedAt = (entries: readonly Entry[], seq: number, index: number): boolean =>
  entries[seq]?.cells.some((cell) => cell.index === index && cell.opened === "shredded") === true;
