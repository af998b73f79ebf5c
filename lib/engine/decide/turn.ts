/** Calls of one turn that wait together. */
import type { PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { getToolId } from "@/lib/graph/tool-ref";
import { ownMember } from "@/lib/json";
import { isAbout } from "@/lib/engine/approvals/edited";
import type { Accepted } from "@/lib/engine/decide/verdict";
import { sharesDestination } from "@/lib/engine/effect-class";
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import type { BodyOf } from "@/lib/engine/proposal";
import { findAside, getKnownValue, type GateState, type RunState } from "@/lib/engine/state";
import { callKey, getThreadPath, threadStepSchema } from "@/lib/engine/thread-of";

export const MOST_OF_TURN = 20;

const listOpen = (state: RunState): readonly GateState[] => Object.values(state.gates).filter(({ status }) => status === "open");

const pendingOf = (state: RunState, { gate }: GateState, name: "task" | "call"): string => {
  const value = ownMember(getKnownValue(findAside(state, `$pending.${gate.id}`).at(-1)), name);

  return typeof value === "string" ? value : "";
};

const waitsBeside = (state: RunState, gateState: GateState): boolean =>
  (gateState.gate.reason === "effect" || gateState.gate.reason === "tainted_effect") &&
  pendingOf(state, gateState, "call").startsWith(`${state.activation}:`);

const callsOfTurn = (state: RunState, task: string, tools: readonly string[]): readonly string[] => {
  const said = threadStepSchema.safeParse(getKnownValue(findAside(state, getThreadPath(state, task)).at(-1))).data?.response;

  return said?.role === "assistant"
    ? said.tool_calls.filter(({ name }) => tools.includes(name)).map(({ id }) => callKey(state, task, id))
    : [];
};

const listAlike = ({ tools }: PublishedGraph, { server, tool }: Pick<PinnedTool, "server" | "tool">): readonly string[] => {
  const own = tools.find((pin) => pin.server === server && pin.tool === tool);

  return own ? tools.filter((pin) => sharesDestination(pin, own)).map((pin) => getToolId(pin.server, pin.tool)) : [];
};

/** Holds for calls of one turn and destination class. */
export const mayWaitToo = (published: PublishedGraph, state: RunState, { task = "", ...call }: BodyOf<"effect_intent">): boolean => {
  const open = listOpen(state);
  const keys = callsOfTurn(state, task, listAlike(published, call));
  const isBeside = (gateState: GateState): boolean =>
    keys.some((key) => pendingOf(state, gateState, "call") === `${state.activation}:${key}`);

  // A review by models decides one call at a time.
  return (
    published.graph.verification === undefined &&
    open.length > 0 &&
    open.length < MOST_OF_TURN &&
    keys.includes(call.call_id) &&
    open.every(isBeside)
  );
};

/** Returns the open gate about this proposal or its edit. */
export const findOpenFor = (state: RunState, digest: string): GateState | undefined =>
  listOpen(state).find((gateState) => isAbout(state, gateState, digest));

/** Lists the gates that hold the run. While a turn's approved calls run, its others do not. */
export const listHolding = (state: RunState): readonly GateState[] =>
  state.status === "waiting" ? listOpen(state) : listOpen(state).filter((gateState) => !waitsBeside(state, gateState));

/** Lists the waiting calls of this call's turn, itself included; empty if alone. */
export const listTurn = (state: RunState, gateState: GateState): readonly GateState[] => {
  const beside = listOpen(state).filter((other) => waitsBeside(state, other));

  return beside.length > 1 && beside.includes(gateState) ? beside : [];
};

const resolvedIn = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === "gate_resolved" ? [event.approval_id] : []));

const ENDS: readonly RunEvent["type"][] = ["node_completed", "frame_ended", "unwinding", "action_awaited", "attempt_failed"];

const endsAttempt = (event: RunEvent): boolean => ENDS.includes(event.type) || (event.type === "status_changed" && isTerminal(event.to));

const ABOUT_CALLS: readonly GateState["gate"]["reason"][] = ["effect", "tainted_effect", "unclear_effect", "tool_input"];

/** Voids the calls of an ended attempt. */
const closeTurn = (state: RunState, events: readonly RunEvent[]): readonly RunEvent[] => {
  const at = events.findIndex(endsAttempt);
  if (at === -1) return events;
  const resolved = resolvedIn(events);
  const left = listOpen(state).filter(({ gate }) => ABOUT_CALLS.includes(gate.reason) && !resolved.includes(gate.id));
  const ends = left.map(({ gate }): RunEvent => ({ type: "gate_resolved", approval_id: gate.id, outcome: "void", receipt: null }));

  return events.toSpliced(at, 0, ...ends);
};

/** Deciding one call must not resume a run held by another gate. */
const stayWaiting = (state: RunState, events: readonly RunEvent[]): readonly RunEvent[] => {
  // With those that `closeTurn` voided.
  const resolved = resolvedIn(events);
  const others = listOpen(state).filter((gateState) => !resolved.includes(gateState.gate.id));
  if (resolved.length === 0 || others.every((gateState) => waitsBeside(state, gateState))) return events;

  return events.filter((event) => event.type !== "status_changed" || event.to !== "running");
};

/** Keeps a turn's waiting calls consistent. Forks inherit no open gate. */
export const settleTurn = (state: RunState, accepted: Accepted): Accepted =>
  accepted.events.some(({ type }) => type === "run_forked")
    ? accepted
    : { ...accepted, events: stayWaiting(state, closeTurn(state, accepted.events)) };
