/** Whether somebody may decide about a gate, in the words that the screen shows. The runner checks again, and decides. */
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import { may, whyNot, type Role } from "@/lib/roles";
import { ownEntry, type GateState, type RunState } from "@/lib/engine/state";

export type CanDecide = { readonly ok: true } | { readonly ok: false; readonly code: RefusalCode; readonly reason: string };

type Viewer = { readonly id: string; readonly role: Role };

const no = (code: RefusalCode, reason: string = REFUSALS[code].message): CanDecide => ({ ok: false, code, reason });

/**
 * @param nowMs milliseconds since 1970
 * @param sealed how many values of it the viewer has yet to open
 */
export const canDecide = (state: RunState, gateState: GateState, viewer: Viewer, nowMs: number, sealed = 0): CanDecide => {
  const { gate } = gateState;
  if (gateState.status !== "open") return no("approval_closed");
  if (nowMs >= gate.expires_at) return no("approval_expired");
  if (!may(viewer.role, "approval.decide"))
    return no("role_missing", whyNot(viewer.role, "approval.decide") ?? REFUSALS.role_missing.message);
  if (viewer.role !== gate.role) return no("role_missing", `Needs ${gate.role}; you are ${viewer.role}`);
  if (viewer.id === state.start?.initiator) return no("own_run", "You started this run; somebody else must decide.");
  if (state.drivers.includes(viewer.id)) return no("own_run", "Your token drives this run; somebody else must decide.");
  if (ownEntry(state.cases, gate.id)?.case.producers.includes(`user:${viewer.id}`)) return no("own_work");
  if (gate.quorum === 1 && viewer.id === state.start?.author) {
    return no("own_version", "You are the author of this graph version; somebody else must decide.");
  }
  if (gateState.decisions.some((decision) => decision.user === viewer.id)) return no("duplicate_decision", "You have decided already.");
  if (sealed > 0) return no("role_missing", "Open what is sealed first: nobody vouches for what they were not shown.");

  return { ok: true };
};
