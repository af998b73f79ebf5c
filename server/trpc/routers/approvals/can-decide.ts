/** Only for the screen; the runner decides. */
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { describeApprovers, type Seat } from "@/lib/people/approvers";
import { isAllowed, explainDenial, type Role } from "@/lib/roles";
import { getDemands } from "@/lib/engine/approvals/escalation";
import { findDeciderObjection } from "@/lib/engine/decide/decider";
import type { GateState, RunState } from "@/lib/engine/state";

export type CanDecide = { readonly ok: true } | { readonly ok: false; readonly code: RefusalCode; readonly reason: string };

type Viewer = { readonly id: string; readonly role: Role; readonly seats?: readonly Seat[] };

const ownRun = (state: RunState, { id }: Viewer): string => {
  if (id === state.start?.initiator) return "You started this run. Someone else must decide.";

  return state.drivers.includes(id)
    ? "Your token drives this run. Someone else must decide."
    : "You started the run that this one was forked from. Someone else must decide.";
};

export const getReason = (
  code: RefusalCode,
  state: RunState,
  gateState: GateState,
  viewer: Viewer,
  names: Readonly<Record<string, string>> = {},
): string => {
  const { gate } = gateState;
  if (code === "not_named") return `Only ${describeApprovers(getDemands(gateState) ?? [], names)} can approve this.`;
  if (code === "own_run") return ownRun(state, viewer);
  if (code === "own_version") return "You published this graph version. Someone else must decide.";
  if (code === "own_edit") return "You edited this proposal. Someone else must decide.";
  const isDecider = isAllowed(viewer.role, "approval.decide") && viewer.role === gate.role;
  if (code !== "role_missing" || isDecider) return REFUSALS[code].message;

  return explainDenial(viewer.role, "approval.decide") ?? `Needs ${gate.role}; you are ${viewer.role}`;
};

export const explainBar = (state: RunState, gateState: GateState, viewer: Viewer): string | null => {
  const { demands: _named, ...gate } = gateState.gate;
  const code = findDeciderObjection(state, { ...gateState, gate }, viewer, 0);

  return code?.startsWith("own_") ? getReason(code, state, gateState, viewer) : null;
};

const no = (code: RefusalCode, reason: string = REFUSALS[code].message): CanDecide => ({ ok: false, code, reason });

/** @param more `sealed`: number of unopened values; `names`: of named people */
export const canDecide = (
  state: RunState,
  gateState: GateState,
  viewer: Viewer,
  nowMs: number,
  { sealed = 0, names = {} }: { readonly sealed?: number; readonly names?: Readonly<Record<string, string>> } = {},
): CanDecide => {
  const code = findDeciderObjection(state, gateState, viewer, nowMs);
  if (code) return no(code, getReason(code, state, gateState, viewer, names));
  if (gateState.decisions.some((decision) => decision.user === viewer.id)) return no("duplicate_decision", "You have already decided.");
  if (sealed > 0) return no("role_missing", "Open the sealed values before you decide.");

  return { ok: true };
};
