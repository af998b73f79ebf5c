/** reduce(state, event) -> state: total, and the only way a state comes about. */
import type { Json } from "@/lib/json";
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import type { SignedRecord } from "@/lib/engine/record";
import { withCell, type Cell, type CellValue, type RunState } from "@/lib/engine/state";

type Moment = { readonly seq: number; readonly at: number };

const changeStatus = (state: RunState, to: RunState["status"], at: number): RunState => {
  const leftWaiting = state.waitingSince !== null && to !== "waiting";

  return {
    ...state,
    status: to,
    startedAt: state.startedAt ?? (to === "running" ? at : null),
    waitingSince: to === "waiting" ? (state.waitingSince ?? at) : null,
    waitedMs: leftWaiting ? state.waitedMs + (at - (state.waitingSince ?? at)) : state.waitedMs,
    ...(isTerminal(to) ? { currentNode: null, activation: null, retryAt: null } : {}),
  };
};

const withGate = (state: RunState, id: string, change: (gate: RunState["gates"][string]) => RunState["gates"][string]): RunState => {
  const gate = state.gates[id];

  return gate ? { ...state, gates: { ...state.gates, [id]: change(gate) } } : state;
};

/** Applies one event of the record at `moment`. Events about things that do not exist change nothing. */
const reduce = (state: RunState, event: RunEvent, moment: Moment): RunState => {
  switch (event.type) {
    case "run_started":
      return { ...state, start: event };
    case "status_changed":
      return changeStatus(state, event.to, moment.at);
    case "node_entered":
      return {
        ...state,
        currentNode: event.node,
        activation: event.activation,
        controlLabel: event.label,
        retryCount: 0,
        retryAt: null,
      };
    case "node_completed":
      return { ...state, iterationCount: state.iterationCount + 1 };
    case "attempt_failed":
      return {
        ...state,
        retryCount: state.retryCount + 1,
        retryAt: event.retry_at,
        lastError: { node: event.node, code: event.code },
      };
    case "model_called":
      return {
        ...state,
        totalTokens: state.totalTokens + event.usage.input_tokens + event.usage.output_tokens,
        costMicroUsd: state.costMicroUsd + event.usage.cost_micro_usd,
      };
    case "effect_intended": {
      const effects = { ...state.effects, [event.effect_id]: { ...event, seq: moment.seq, outcome: null } };
      if (event.approval_id === null) return { ...state, effects };

      return withGate({ ...state, effects }, event.approval_id, (gate) => ({ ...gate, usedBy: event.effect_id }));
    }
    case "effect_settled": {
      const effect = state.effects[event.effect_id];

      return effect ? { ...state, effects: { ...state.effects, [event.effect_id]: { ...effect, outcome: event.outcome } } } : state;
    }
    case "gate_opened":
      return {
        ...state,
        gates: {
          ...state.gates,
          [event.gate.id]: { gate: event.gate, status: "open", decisions: [], receipt: null, usedBy: null },
        },
      };
    case "decision_made":
      return withGate(state, event.approval_id, (gate) => ({ ...gate, decisions: [...gate.decisions, event] }));
    case "gate_resolved":
      return withGate(state, event.approval_id, (gate) => ({ ...gate, status: event.outcome, receipt: event.receipt }));
    default:
      return event satisfies never;
  }
};

const place = (state: RunState, cell: Cell): RunState =>
  cell.path.startsWith("$") ? { ...state, aside: [...state.aside, cell] } : { ...state, cells: withCell(state.cells, cell) };

/**
 * Applies one record with the values of its cells, in the order of its `writes`. A refusal moves the version and the
 * head and nothing else.
 */
export const applyRecord = (state: RunState, signed: SignedRecord, values: readonly (Json | undefined)[]): RunState => {
  const { record } = signed;
  const moment = { seq: record.seq, at: record.at };
  const moved: RunState = {
    ...state,
    version: state.version + 1,
    head: signed.digest,
    refusals: state.refusals + (record.kind === "refusal" ? 1 : 0),
    proposals: { ...state.proposals, [record.proposal_id]: record.seq },
  };
  if (record.kind === "refusal") return moved;
  const written = record.writes.reduce<RunState>((next, write, index) => {
    const value = values[index];
    const content: CellValue = value === undefined ? { known: false } : { known: true, value };

    return place(next, { ...write, seq: record.seq, index, content });
  }, moved);

  return record.control.reduce((next, event) => reduce(next, event, moment), written);
};
