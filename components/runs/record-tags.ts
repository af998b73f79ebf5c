/** Record tags for filters, strip and navigation. */
import { entryOf } from "@/lib/engine/events/catalogue";
import type { RecordTag } from "@/lib/engine/events/event-entry";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export const INTERESTING: readonly RecordTag[] = ["refusal", "gate", "decision", "error", "fork", "cleared", "end"];

/** Untrusted writes of outside data are taint sources. */
const bringsIn = ({ control, proposal_kind: kind }: LedgerRecord): boolean =>
  kind === "recall" || control.some(({ type }) => type === "effect_settled" || type === "run_started" || type === "action_chosen");

/** Unique tags of a record. */
export const listTags = (record: LedgerRecord): readonly RecordTag[] => {
  if (record.kind === "refusal") return ["refusal"];
  const tags = record.control.flatMap((event) => entryOf(event).tags(event));
  const isSource = bringsIn(record) && record.writes.some(({ label }) => label.integrity === "untrusted");

  return [...new Set(isSource ? [...tags, "tainted" as const] : tags)];
};
