import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";

/** What the page asks of the worker, and what the worker answers: a record for each text, null where a text is none. */
export type ParseRequest = { readonly id: number; readonly records: readonly StoredRecord[] };
export type ParseResponse = { readonly id: number; readonly records: readonly (LedgerRecord | null)[] };
