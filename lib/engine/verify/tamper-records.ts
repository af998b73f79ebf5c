import { restoreSignature, recordIn, signByStranger, withOtherTime, type TamperKind } from "@/lib/engine/verify/tamper";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";

export type RecordTamperKind = Extract<TamperKind, "edit" | "reorder" | "insert" | "delete" | "fork" | "wrong_key">;

const RECORD_TAMPER_KINDS: readonly RecordTamperKind[] = ["edit", "reorder", "insert", "delete", "fork", "wrong_key"];

export const isRecordKind = (kind: TamperKind): kind is RecordTamperKind => (RECORD_TAMPER_KINDS as readonly string[]).includes(kind);

export type TamperedRecords = {
  readonly records: readonly StoredRecord[];
  readonly seq: number;
  readonly before: string;
  readonly after: string;
};

const moved = (record: StoredRecord, by: number): StoredRecord => ({ ...record, seq: record.seq + by });

const replaced = (records: readonly StoredRecord[], at: number, next: StoredRecord): TamperedRecords | null => {
  const old = records[at];

  return old ? { records: records.with(at, next), seq: old.seq, before: old.body, after: next.body } : null;
};

const changed = (
  records: readonly StoredRecord[],
  at: number,
  change: (record: LedgerRecord, stored: StoredRecord) => StoredRecord,
): TamperedRecords | null => {
  const old = records[at];
  const record = old && recordIn(old);

  return old && record ? replaced(records, at, change(record, old)) : null;
};

/**
 * Tampers; null: too few.
 * @param records in order
 */
export const tamperRecords = (kind: RecordTamperKind, records: readonly StoredRecord[]): TamperedRecords | null => {
  const at = Math.floor(records.length / 2);
  const [here, next, before] = [records[at], records[at + 1], records[at - 2]];
  if (!here) return null;
  switch (kind) {
    case "edit":
      return replaced(records, at, { ...here, body: withOtherTime(here.body) });
    case "reorder": {
      if (!next) return null;
      const swapped = records.with(at, { ...next, seq: here.seq }).with(at + 1, { ...here, seq: next.seq });

      return { records: swapped, seq: here.seq, before: here.body, after: next.body };
    }
    case "insert": {
      const record = recordIn(here);
      if (!record) return null;
      const made = restoreSignature({ ...record, at: record.at + 1 }, here);

      return {
        records: [...records.slice(0, at), made, ...records.slice(at).map((one) => moved(one, 1))],
        seq: here.seq,
        before: here.body,
        after: made.body,
      };
    }
    case "delete":
      if (!next) return null;

      return {
        records: [...records.slice(0, at), ...records.slice(at + 1).map((one) => moved(one, -1))],
        seq: here.seq,
        before: here.body,
        after: next.body,
      };
    case "fork":
      return before ? changed(records, at, (record, old) => restoreSignature({ ...record, parent: before.digest }, old)) : null;
    case "wrong_key":
      return changed(records, at, (record) => signByStranger({ ...record, at: record.at + 1 }));
    default:
      return kind satisfies never;
  }
};
