/** The trust log's rows of one record, for the statement that stores the record. */
import { canonicalJson } from "@/lib/json";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { trustEventsOf, type TrustContext } from "@/lib/engine/labels/trust-events";

/** Null: there is nothing to say about the record. */
export const trustRowsOf = (record: LedgerRecord, context: TrustContext) => {
  const events = trustEventsOf(record, context);
  if (events.length === 0) return null;

  return events.map(({ index, type, node, principal, path, detail }) => ({
    index,
    type,
    node,
    principal,
    path,
    detail: canonicalJson(detail),
  }));
};
