import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";

/** Messages between the page and the parse worker; null for texts that are not records. */
export type ParseRequest = { readonly id: number; readonly records: readonly StoredRecord[] };
export type ParseResponse = { readonly id: number; readonly records: readonly (LedgerRecord | null)[] };
