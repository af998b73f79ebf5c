import { refuse } from "@/lib/refusal";
import { recordUndone } from "@/lib/engine/decide/undo";
import { accept, reject, type Verdict } from "@/lib/engine/decide/verdict";
import type { RunEvent } from "@/lib/engine/event";
import { findMissingCell } from "@/lib/engine/ledger/shred";
import type { RunState } from "@/lib/engine/state";

export const closeGates = (state: RunState): RunEvent[] =>
  Object.values(state.gates)
    .filter((gate) => gate.status === "open")
    .map(({ gate }) => ({ type: "gate_resolved", approval_id: gate.id, outcome: "void", receipt: null }));

export const leaveInPlace = (state: RunState): RunEvent[] =>
  state.compensation.filter(({ outcome }) => outcome === null).map(({ effect_id }) => recordUndone(effect_id, "declined"));

/** Ends a run that needs shredded values; undos may need them, so effects stay. */
export const endShredded = (state: RunState): Verdict =>
  findMissingCell(state) === undefined
    ? reject(refuse("version_conflict"))
    : accept({
        events: [...closeGates(state), ...leaveInPlace(state), { type: "status_changed", to: "cancelled", reason: "value_shredded" }],
        node: state.currentNode,
      });
