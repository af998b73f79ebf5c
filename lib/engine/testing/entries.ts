import type { LedgerEntry } from "@/lib/engine/timeline";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { TestRun } from "@/lib/engine/testing/run";

export const parseEntries = (run: TestRun): LedgerEntry[] =>
  run.records().map((signed, index) => ({ signed, values: run.values()[index] ?? [] }));

export const hiddenEntriesOf = (run: TestRun): LedgerEntry[] => run.records().map((signed) => ({ signed, values: [] }));

export const recordsOf = (run: TestRun): LedgerRecord[] => run.records().map(({ record }) => record);
