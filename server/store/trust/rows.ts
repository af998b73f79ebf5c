import { toCanonicalJson } from "@/lib/json";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { TrustContext } from "@/lib/engine/events/event-entry";
import { listTrustEvents } from "@/lib/engine/labels/trust-events";

/** Trust log rows of a record. Null: no event. */
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
