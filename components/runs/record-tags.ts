/** Record tags for filters, strip and navigation. */
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export type RecordTag = "refusal" | "gate" | "decision" | "effect" | "error" | "fork" | "tainted" | "cleared" | "end";

export const INTERESTING: readonly RecordTag[] = ["refusal", "gate", "decision", "error", "fork", "cleared", "end"];

const TAGS: Readonly<Partial<Record<RunEvent["type"], RecordTag>>> = {
  gate_opened: "gate",
  case_opened: "gate",
  gate_resolved: "decision",
  decision_made: "decision",
  verdict_given: "decision",
  case_closed: "decision",
  effect_intended: "effect",
  effect_settled: "effect",
  compensation_settled: "effect",
  attempt_failed: "error",
  task_failed: "error",
  unwinding: "error",
  run_forked: "fork",
  promoted: "cleared",
};

const statusTags = (to: Extract<RunEvent, { type: "status_changed" }>["to"]): readonly RecordTag[] => {
  if (!isTerminal(to)) return [];

  return to === "completed" || to === "cancelled" ? ["end"] : ["end", "error"];
};

const tagsOfEvent = (event: RunEvent): readonly RecordTag[] => {
  if (event.type === "status_changed") return statusTags(event.to);
  if (event.type === "effect_settled" && event.outcome !== "ok") return ["effect", "error"];
  const tag = TAGS[event.type];

  return tag === undefined ? [] : [tag];
};

/** Untrusted writes of outside data are taint sources. */
const bringsIn = ({ control, proposal_kind: kind }: LedgerRecord): boolean =>
  kind === "recall" || control.some(({ type }) => type === "effect_settled" || type === "run_started" || type === "action_chosen");

/** Unique tags of a record. */
export const listTags = (record: LedgerRecord): readonly RecordTag[] => {
  if (record.kind === "refusal") return ["refusal"];
  const tags = record.control.flatMap(tagsOfEvent);
  const isSource = bringsIn(record) && record.writes.some(({ label }) => label.integrity === "untrusted");

  return [...new Set(isSource ? [...tags, "tainted" as const] : tags)];
};
