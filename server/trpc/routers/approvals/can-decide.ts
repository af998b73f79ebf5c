/** Whether somebody may decide about a gate, in the words that the screen shows. The runner checks again, and decides. */
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { may, whyNot, type Role } from "@/lib/roles";
import { deciderObjection } from "@/lib/engine/decide/decider";
import type { GateState, RunState } from "@/lib/engine/state";

export type CanDecide = { readonly ok: true } | { readonly ok: false; readonly code: RefusalCode; readonly reason: string };

type Viewer = { readonly id: string; readonly role: Role };

const ownRun = (state: RunState, { id }: Viewer): string => {
  if (id === state.start?.initiator) return "You started this run; somebody else must decide.";

  return state.drivers.includes(id)
    ? "Your token drives this run; somebody else must decide."
    : "You started a run that this one goes on from; somebody else must decide.";
};

/** Why this person in particular may not. */
export const reasonOf = (code: RefusalCode, state: RunState, { gate }: GateState, viewer: Viewer): string => {
  if (code === "own_run") return ownRun(state, viewer);
  if (code === "own_version") return "You are the author of this graph version; somebody else must decide.";
  if (code === "own_edit") return "You edited what is asked about; somebody else must decide.";
  const isDecider = may(viewer.role, "approval.decide") && viewer.role === gate.role;
  if (code !== "role_missing" || isDecider) return REFUSALS[code].message;

  return whyNot(viewer.role, "approval.decide") ?? `Needs ${gate.role}; you are ${viewer.role}`;
};

const no = (code: RefusalCode, reason: string = REFUSALS[code].message): CanDecide => ({ ok: false, code, reason });

/**
 * @param nowMs milliseconds since 1970
 * @param sealed how many values of it the viewer has yet to open
 */
export const canDecide = (state: RunState, gateState: GateState, viewer: Viewer, nowMs: number, sealed = 0): CanDecide => {
  const code = deciderObjection(state, gateState, viewer, nowMs);
  if (code) return no(code, reasonOf(code, state, gateState, viewer));
  if (gateState.decisions.some((decision) => decision.user === viewer.id)) return no("duplicate_decision", "You have decided already.");
  if (sealed > 0) return no("role_missing", "Open what is sealed first: nobody vouches for what they were not shown.");

  return { ok: true };
};
