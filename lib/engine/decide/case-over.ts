/** Closes cases with visits, and calls with runs. */
import type { Accepted } from "@/lib/engine/decide/verdict";
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import type { RunState } from "@/lib/engine/state";

const ENDS: readonly RunEvent["type"][] = ["node_completed", "frame_ended", "unwinding", "action_awaited"];

const endsRun = (event: RunEvent): boolean => event.type === "status_changed" && isTerminal(event.to);

/** Retries continue the case. */
const endsVisit = (event: RunEvent): boolean =>
  ENDS.includes(event.type) || (event.type === "attempt_failed" && event.retry_at === null) || endsRun(event);

const abandonedCalls = (state: RunState, events: readonly RunEvent[]): RunEvent[] => {
  if (!events.some(endsRun)) return [];
  const settled = events.flatMap((event) => (event.type === "effect_settled" ? [event.effect_id] : []));

  return Object.values(state.effects)
    .filter(({ effect_id: id, outcome }) => outcome === null && !settled.includes(id))
    .map(({ effect_id: id }) => ({ type: "effect_settled", effect_id: id, outcome: "abandoned", simulated: false }));
};

/** Voids the visit's open cases in the record that ends it. */
export const closeAbandoned = (state: RunState, accepted: Accepted): Accepted => {
  const { events } = accepted;
  const at = events.findIndex(endsVisit);
  // Forks inherit no cases.
  if (at === -1 || events.some(({ type }) => type === "run_forked")) return accepted;
  const closed = events.flatMap((event) => (event.type === "case_closed" ? [event.case_id] : []));
  const abandoned = Object.values(state.cases).filter(({ case: { id }, status }) => status === "open" && !closed.includes(id));
  const ends = abandoned.map(({ case: { id } }): RunEvent => ({ type: "case_closed", case_id: id, outcome: "void" }));

  return { ...accepted, events: events.toSpliced(at, 0, ...ends, ...abandonedCalls(state, events)) };
};
