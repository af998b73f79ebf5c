/** A case ends with the visit that it was opened in, whatever ended that visit; a call that has no answer, with its run. */
import type { Accepted } from "@/lib/engine/decide/verdict";
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import type { RunState } from "@/lib/engine/state";

const ENDS: readonly RunEvent["type"][] = ["node_completed", "frame_ended", "unwinding", "action_awaited"];

const endsRun = (event: RunEvent): boolean => event.type === "status_changed" && isTerminal(event.to);

/** Another attempt goes on with the case as it stands. */
const endsVisit = (event: RunEvent): boolean =>
  ENDS.includes(event.type) || (event.type === "attempt_failed" && event.retry_at === null) || endsRun(event);

/** Calls of attempts that were given up, whose answer never came: the run says so before it ends, and nothing stays open for good. */
const abandonedCalls = (state: RunState, events: readonly RunEvent[]): RunEvent[] => {
  if (!events.some(endsRun)) return [];
  const settled = events.flatMap((event) => (event.type === "effect_settled" ? [event.effect_id] : []));

  return Object.values(state.effects)
    .filter(({ effect_id: id, outcome }) => outcome === null && !settled.includes(id))
    .map(({ effect_id: id }) => ({ type: "effect_settled", effect_id: id, outcome: "abandoned", simulated: false }));
};

/** Nobody waits for these verdicts any more: what is still open is void, on the record that ends the visit. */
export const closeAbandoned = (state: RunState, accepted: Accepted): Accepted => {
  const { events } = accepted;
  const at = events.findIndex(endsVisit);
  // The cases of a run are not its fork's.
  if (at === -1 || events.some(({ type }) => type === "run_forked")) return accepted;
  const closed = events.flatMap((event) => (event.type === "case_closed" ? [event.case_id] : []));
  const abandoned = Object.values(state.cases).filter(({ case: { id }, status }) => status === "open" && !closed.includes(id));
  const ends = abandoned.map(({ case: { id } }): RunEvent => ({ type: "case_closed", case_id: id, outcome: "void" }));

  return { ...accepted, events: events.toSpliced(at, 0, ...ends, ...abandonedCalls(state, events)) };
};
