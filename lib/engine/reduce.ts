/** reduce(state, event) -> state. Total; the only source of states. */
import { isRefusedAttempt } from "@/lib/engine/ledger/attempt";
import type { Json } from "@/lib/json";
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { enterFrame, leaveFrame, getNodeKey, stripPrefix } from "@/lib/engine/frame";
import { forkState } from "@/lib/engine/forks/fork";
import { computeWorkedMs } from "@/lib/engine/limits";
import { copyEntry, growCopied, createCopyOnWriteGrowth, type Add, type Grow, type Put } from "@/lib/engine/copy-on-write";
import { ownEntry, withCell, type Cell, type CellValue, type CaseState, type RunState, type Spent } from "@/lib/engine/state";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;
type Moment = { readonly seq: number; readonly at: number };

const outermost = (state: RunState): RunState => (state.frames.length === 0 ? state : outermost(leaveFrame(state)));

const changeStatus = (state: RunState, to: RunState["status"], at: number): RunState => {
  const leftWaiting = state.waitingSince !== null && to !== "waiting";

  return {
    // Ended runs show top-level memory.
    ...(isTerminal(to) ? outermost(state) : state),
    status: to,
    startedAt: state.startedAt ?? (to === "running" ? at : null),
    waitingSince: to === "waiting" ? (state.waitingSince ?? at) : null,
    waitedMs: leftWaiting ? state.waitedMs + (at - (state.waitingSince ?? at)) : state.waitedMs,
    ...(isTerminal(to) ? { currentNode: null, activation: null, retryAt: null, unwinding: null } : {}),
  };
};

type Gate = RunState["gates"][string];

const withGate = (state: RunState, id: string, put: Put, change: (gate: Gate) => Gate): RunState => {
  const gate = state.gates[id];

  return gate ? { ...state, gates: put(state.gates, id, change(gate)) } : state;
};

const standing = (decisions: Gate["decisions"], { lapsed = [] }: EventOf<"decision_made">) =>
  decisions.filter(({ user }) => !lapsed.includes(user));

const withCase = (state: RunState, id: string, put: Put, change: (found: CaseState) => CaseState): RunState => {
  const found = ownEntry(state.cases, id);

  return found ? { ...state, cases: put(state.cases, id, change(found)) } : state;
};

/** A failed action's cost and effects stay on record. */
const awaiting = (state: RunState, event: EventOf<"action_awaited">, at: number): RunState => {
  const { after, actions, label, cause } = event;
  const { position } = state;
  const cells = cause === "failed" && position ? position.cells : state.cells;
  // Failed actions leave no control influence.
  const controls = cause === "failed" && position?.after === after ? position.controls : state.controls;

  return {
    ...state,
    cells,
    controls,
    position: { after, actions, label, since: at, cells, controls },
    currentNode: null,
    activation: null,
    retryAt: null,
  };
};

/** Failures count too, so they reach the limit. */
const counted = (state: RunState, activation: number): RunState =>
  state.countedActivation === activation ? state : { ...state, iterationCount: state.iterationCount + 1, countedActivation: activation };

const NOTHING: Spent = { tokens: 0, costMicroUsd: 0 };

/** Replaces a reservation by the actual spend. */
const settle = (state: RunState, reservationId: string, tokens: number, costMicroUsd: number): RunState => {
  const { [reservationId]: reservation, ...open } = state.reservations;
  if (!reservation) return state;
  const before = ownEntry(state.spent, reservation.key) ?? NOTHING;

  return {
    ...state,
    reservations: open,
    totalTokens: state.totalTokens + tokens,
    costMicroUsd: state.costMicroUsd + costMicroUsd,
    spent: { ...state.spent, [reservation.key]: { tokens: before.tokens + tokens, costMicroUsd: before.costMicroUsd + costMicroUsd } },
  };
};

const frameOf = (state: RunState, event: EventOf<"frame_entered">, moment: Moment) => {
  const { type: _type, node, activation, version, ...limits } = event;

  return {
    node,
    activation,
    version,
    limits,
    entered: {
      iterations: state.iterationCount,
      workedMs: computeWorkedMs(state, moment.at),
      tokens: state.totalTokens,
      costMicroUsd: state.costMicroUsd,
    },
  };
};

/** Events about missing things change nothing. */
const reduce = (state: RunState, event: RunEvent, moment: Moment, put: Put): RunState => {
  switch (event.type) {
    case "run_started":
      return { ...state, start: event };
    case "run_forked":
      return forkState(state, event, moment.at);
    case "status_changed":
      return changeStatus(state, event.to, moment.at);
    case "node_entered":
      return {
        ...state,
        currentNode: event.node,
        activation: event.activation,
        controls: event.controls,
        retryCount: 0,
        retryAt: null,
        handoff: null,
        failedTasks: {},
      };
    case "node_completed":
      return counted(state, event.activation);
    case "attempt_failed":
      return {
        ...(event.retry_at === null ? counted(state, event.activation) : state),
        retryCount: state.retryCount + 1,
        retryAt: event.retry_at,
        handoff: null,
        failedTasks: {},
        lastError: { node: event.node, code: event.code },
      };
    case "task_failed":
      return { ...state, failedTasks: { ...state.failedTasks, [event.task]: event.code } };
    case "budget_reserved": {
      const { type: _type, reservation_id: id, ...reservation } = event;

      return { ...state, reservations: { ...state.reservations, [id]: { ...reservation, key: getNodeKey(state, event.node) } } };
    }
    case "reservation_released":
      return settle(state, event.reservation_id, event.tokens, event.cost_micro_usd);
    case "model_called": {
      const { input_tokens: input, output_tokens: output, cost_micro_usd: cost } = event.usage;

      return settle(state, event.reservation_id, input + output, cost);
    }
    case "budget_threshold":
      return { ...state, thresholds: [...state.thresholds, `${event.scope}:${event.measure}:${event.percent}`] };
    case "handed_off":
      return { ...state, handoff: event.to, handoffs: state.handoffs + 1 };
    case "supervisor_chose": {
      const key = getNodeKey(state, event.node);

      return { ...state, choices: { ...state.choices, [key]: (ownEntry(state.choices, key) ?? 0) + 1 } };
    }
    case "frame_entered":
      return enterFrame(state, frameOf(state, event, moment));
    case "frame_ended":
      return { ...state, frameEnd: { outcome: event.outcome, code: event.code }, currentNode: null, activation: null, retryAt: null };
    case "frame_left":
      return leaveFrame(state);
    case "promoted":
    case "action_chosen":
    case "judged":
    case "commented":
    case "cell_opened":
    case "cells_shredded":
    case "passkey_registered":
    case "passkey_revoked":
    case "passkey_allowed":
    case "countersigned":
    case "admin_changed":
      return state;
    case "action_awaited":
      return awaiting(state, event, moment.at);
    case "case_opened":
      return {
        ...state,
        cases: put(state.cases, event.case.id, {
          case: event.case,
          seq: moment.seq,
          key: getNodeKey(state, event.case.node),
          status: "open",
          verdicts: [],
        }),
      };
    case "verdict_given":
      return withCase(state, event.case_id, put, (found) => ({ ...found, verdicts: [...found.verdicts, event] }));
    case "case_closed":
      return withCase(state, event.case_id, put, (found) => ({ ...found, status: event.outcome }));
    case "compensation_pushed": {
      const { type: _type, ...undo } = event;

      const pushed = { ...undo, outcome: null };

      // Settled while unwinding: undone last, since the newest may have a gate.
      return { ...state, compensation: state.unwinding ? [pushed, ...state.compensation] : [...state.compensation, pushed] };
    }
    case "compensation_settled":
      return {
        ...state,
        compensation: state.compensation.map((undo) => (undo.effect_id === event.effect_id ? { ...undo, outcome: event.outcome } : undo)),
      };
    case "unwinding":
      return {
        ...outermost(state),
        unwinding: { to: event.to, reason: event.reason, since: moment.at },
        currentNode: null,
        activation: null,
        retryAt: null,
      };
    case "effect_intended": {
      const effects = put(state.effects, event.effect_id, { ...event, seq: moment.seq, outcome: null });
      if (event.approval_id === null) return { ...state, effects };

      return withGate({ ...state, effects }, event.approval_id, put, (gate) => ({ ...gate, usedBy: event.effect_id }));
    }
    case "effect_settled": {
      const effect = state.effects[event.effect_id];

      return effect ? { ...state, effects: put(state.effects, event.effect_id, { ...effect, outcome: event.outcome }) } : state;
    }
    case "gate_opened":
      return {
        ...state,
        gates: put(state.gates, event.gate.id, { gate: event.gate, status: "open", decisions: [], receipt: null, usedBy: null }),
      };
    case "decision_made":
      return withGate(state, event.approval_id, put, (gate) => ({ ...gate, decisions: [...standing(gate.decisions, event), event] }));
    case "gate_resolved":
      return withGate(state, event.approval_id, put, (gate) => ({ ...gate, status: event.outcome, receipt: event.receipt }));
    default:
      return event satisfies never;
  }
};

/** The ledger path names the frame. */
const place = (state: RunState, cell: Cell, add: Add): RunState =>
  cell.path.startsWith("$")
    ? { ...state, aside: add(state.aside, cell) }
    : { ...state, cells: withCell(state.cells, { ...cell, path: stripPrefix(cell.path) }) };

/** Applied before the cells, since they select their memory. */
const isFrameEvent = ({ type }: RunEvent): boolean => type === "frame_entered" || type === "frame_left";

type Values = readonly (Json | undefined)[];

const applied = (state: RunState, signed: SignedRecord, values: Values, { put, add }: Grow, note: Put): RunState => {
  const { record } = signed;
  const moment = { seq: record.seq, at: record.at };
  const moved: RunState = {
    ...state,
    version: state.version + 1,
    head: signed.digest,
    refusals: state.refusals + (record.kind === "refusal" ? 1 : 0),
    attempts: state.attempts + (isRefusedAttempt(record) ? 1 : 0),
    // First delivery counts.
    proposals: Object.hasOwn(state.proposals, record.proposal_id) ? state.proposals : note(state.proposals, record.proposal_id, record.seq),
  };
  if (record.kind === "refusal") return moved;
  const { principal } = record;
  const known: RunState = principal.type === "agent" ? { ...moved, drivers: [...new Set([...moved.drivers, principal.owner])] } : moved;
  const apply = (from: RunState, events: readonly RunEvent[]) => events.reduce((next, event) => reduce(next, event, moment, put), from);
  const framed = apply(known, record.control.filter(isFrameEvent));
  const written = record.writes.reduce<RunState>((next, write, index) => {
    const value = values[index];
    const content: CellValue = value === undefined ? { known: false } : { known: true, value };

    return place(next, { ...write, seq: record.seq, index, content }, add);
  }, framed);

  return apply(
    written,
    record.control.filter((event) => !isFrameEvent(event)),
  );
};

/**
 * Applies a record. Refusals change version and head only.
 * @param note mutable table for long sequences
 */
export const applyRecord = (state: RunState, signed: SignedRecord, values: Values, note: Put = copyEntry): RunState =>
  applied(state, signed, values, growCopied, note);

/** Applies many, copying once: per-record copies make replay quadratic. */
export const applyRecords = (state: RunState, entries: readonly { readonly signed: SignedRecord; readonly values: Values }[]): RunState => {
  const grow = createCopyOnWriteGrowth();

  return entries.reduce((before, { signed, values }) => applied(before, signed, values, grow, grow.put), state);
};
