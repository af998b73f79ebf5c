/** The trust log's rows of one record, for the statement that stores the record. */
import { canonicalJson } from "@/lib/json";
import type { LedgerRecord } from "@/lib/engine/record";
import { trustEventsOf, type TrustContext } from "@/lib/engine/trust-events";

/** As one parameter for `jsonb_to_recordset`, so that a record about which there is nothing to say costs nothing; null: nothing. */
export const trustRowsOf = (record: LedgerRecord, context: TrustContext): string | null => {
  const events = trustEventsOf(record, context);
  if (events.length === 0) return null;

  return JSON.stringify(
    events.map(({ index, type, node, principal, path, detail }) => ({ index, type, node, principal, path, detail: canonicalJson(detail) })),
  );
};
