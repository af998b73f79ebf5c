/** Ledger records as the screen keeps them: parsed once, with their cells. */
import { signedRecordSchema, type LedgerRecord } from "@/lib/engine/record";
import type { LedgerExport, StoredCell } from "@/lib/engine/verify";

type StoredRecord = LedgerExport["records"][number];

export type LedgerBatch = { readonly records: readonly StoredRecord[]; readonly cells: readonly StoredCell[] };

export type Entry = StoredRecord & {
  /** null: what is stored is not a record. It is shown as such, and the verifier names it. */
  readonly record: LedgerRecord | null;
  readonly cells: readonly StoredCell[];
};

const parse = ({ body, digest, kid, signature }: StoredRecord): LedgerRecord | null => {
  try {
    return signedRecordSchema.safeParse({ record: JSON.parse(body) as unknown, digest, kid, signature }).data?.record ?? null;
  } catch {
    return null;
  }
};

export const entriesOf = ({ records, cells }: LedgerBatch): Entry[] => {
  const cellsBySeq = Map.groupBy(cells, (cell) => cell.seq);

  return records.map((stored) => ({ ...stored, record: parse(stored), cells: cellsBySeq.get(stored.seq) ?? [] }));
};

/** Whether a cell's key and content were destroyed; entries stand in the order of their records. */
export const isShreddedAt = (entries: readonly Entry[], seq: number, index: number): boolean =>
  entries[seq]?.cells.some((cell) => cell.index === index && cell.opened === "shredded") === true;

/** Batches overlap after a reconnect: what is known already is left out. */
export const mergeEntries = (known: readonly Entry[], incoming: readonly Entry[]): readonly Entry[] => {
  const last = known.at(-1)?.seq ?? -1;
  const fresh = incoming.filter((entry) => entry.seq > last);

  return fresh.length === 0 ? known : [...known, ...fresh];
};
