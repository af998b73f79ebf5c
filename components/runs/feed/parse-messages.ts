import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";

/** Null: not a record. */
export type ParseRequest = { readonly id: number; readonly records: readonly StoredRecord[] };
export type ParseResponse = { readonly id: number; readonly records: readonly (LedgerRecord | null)[] };
