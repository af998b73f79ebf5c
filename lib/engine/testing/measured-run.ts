import type { Envelope } from "@/lib/engine/envelope/envelope";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { RunState } from "@/lib/engine/state";

export const MEASURES = ["modelCalls", "tokens", "costMicroUsd", "changes", "irreversible", "unattended"] as const;
export type Measured = Readonly<Record<(typeof MEASURES)[number], number>>;

export const cameTo = (state: RunState, records: readonly SignedRecord[]): Measured => {
  const events = records.flatMap(({ record }) => record.control);
  const changes = events.flatMap((event) =>
    event.type === "effect_intended" && (event.effect_class === "write" || event.effect_class === "irreversible") ? [event] : [],
  );

  return {
    modelCalls: events.filter(({ type }) => type === "budget_reserved").length,
    tokens: state.totalTokens,
    costMicroUsd: state.costMicroUsd,
    changes: changes.length,
    irreversible: changes.filter((event) => event.effect_class === "irreversible").length,
    unattended: changes.filter((event) => event.approval_id === null).length,
  };
};

export const exceeded = (came: Measured, envelope: Envelope): readonly string[] =>
  MEASURES.filter((measure) => came[measure] > (envelope[measure] ?? Infinity));
