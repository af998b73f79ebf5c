/** A record's trust log rows, for the statement that stores it. */
import { toCanonicalJson } from "@/lib/json";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { listTrustEvents, type TrustContext } from "@/lib/engine/labels/trust-events";

/** Null: no event. */
export const toTrustRows = (record: LedgerRecord, context: TrustContext) => {
  const events = listTrustEvents(record, context);
  if (events.length === 0) return null;

  return events.map(({ index, type, node, principal, path, detail }) => ({
    index,
    type,
    node,
    principal,
    path,
    detail: toCanonicalJson(detail),
  }));
};
