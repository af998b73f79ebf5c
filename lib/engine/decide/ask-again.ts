import type { Gate, RunEvent } from "@/lib/engine/event";
import { findAside, type GateState, type RunState } from "@/lib/engine/state";

const isSameTool = (a: Gate, b: Gate): boolean =>
  a.transition.effect?.server === b.transition.effect?.server && a.transition.effect?.tool === b.transition.effect?.tool;

const askedBefore = (state: RunState, gate: Gate): GateState | undefined => {
  const last = Object.values(state.gates).findLast(
    (other) => other.gate.node === gate.node && other.gate.transition.run === gate.transition.run && other.gate.id !== gate.id,
  );
  if (last?.status === "changes_requested") return last;
  const openedAt = findAside(state, `$pending.${last?.gate.id}`).at(-1)?.seq ?? 0;
  const isOfVisit = openedAt >= (state.activation ?? Infinity);

  return last?.status === "void" && isOfVisit && last.gate.reason === gate.reason && isSameTool(last.gate, gate) ? last : undefined;
};

/** Adds `replaces` to new gates. */
export const askAgain = (state: RunState, events: readonly RunEvent[]): readonly RunEvent[] =>
  events.map((event) => {
    if (event.type !== "gate_opened" || event.gate.supersedes !== undefined) return event;
    const before = askedBefore(state, event.gate);

    return before ? { ...event, gate: { ...event.gate, supersedes: before.gate.id } } : event;
  });
