import type { Json } from "@/lib/json";
import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import { signedRecordSchema, type SignedRecord } from "@/lib/engine/ledger/record";
import { applyRecords } from "@/lib/engine/reduce";
import { createRunState, type RunState } from "@/lib/engine/state";
import { recordRead, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import type { LedgerEntry } from "@/lib/engine/timeline";
import { getOpenedValue, type LedgerExport } from "@/lib/engine/verify/verify";

const parsed = ({ body, digest, kid, signature }: StoredRecord): SignedRecord => {
  const record: unknown = JSON.parse(body);

  return signedRecordSchema.parse({ record, digest, kid, signature });
};

/**
 * Returns records with opened values.
 * @throws ZodError for malformed records
 */
export const listEntries = (ledger: LedgerExport): LedgerEntry[] => {
  const cellsBySeq = Map.groupBy(ledger.cells, (cell) => cell.seq);

  return ledger.records.map((stored) => {
    const values: (Json | undefined)[] = [];
    for (const cell of cellsBySeq.get(stored.seq) ?? []) {
      values[cell.index] = getOpenedValue(cell);
    }

    return { signed: recordRead(stored) ?? parsed(stored), values };
  });
};

/**
 * Replays a ledger to its state.
 * @param graphHash for empty ledgers
 */
export const replay = (ledger: LedgerExport, graphHash: string): { state: RunState; records: SignedRecord[] } => {
  const entries = listEntries(ledger);
  const first = entries[0]?.signed.record;
  const before = createRunState(ledger.workspace, first?.run ?? ledger.run, first?.graph_hash ?? graphHash, POLICY_HASH);

  return {
    state: applyRecords(before, entries),
    records: entries.map(({ signed }) => signed),
  };
};
