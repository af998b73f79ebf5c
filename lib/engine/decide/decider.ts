/** Rules for who may decide, shared with the page. */
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed, type Role } from "@/lib/roles";
import { findCaseOfGate } from "@/lib/engine/decide/case-people";
import type { GateState, RunState } from "@/lib/engine/state";

type Person = { readonly id: string; readonly role: Role };

/**
 * Returns why this person has no say.
 * @param atMs ms since 1970
 */
export const sayObjection = (state: RunState, gateState: GateState, { id, role }: Person, atMs: number): RefusalCode | null => {
  const { gate } = gateState;
  if (gateState.status !== "open") return "approval_closed";
  if (atMs >= gate.expires_at) return "approval_expired";
  if (!isAllowed(role, "approval.decide") || role !== gate.role) return "role_missing";
  // Initiators of a fork's ancestors took part in it too.
  if (id === state.start?.initiator || state.fork?.initiators.includes(id) || state.drivers.includes(id)) return "own_run";
  if (findCaseOfGate(state, gateState)?.case.producers.includes(`user:${id}`)) return "own_work";

  return gate.quorum === 1 && id === state.start?.author ? "own_version" : null;
};

/** Returns why the person may not decide. Editors cannot decide alone. */
export const findDeciderObjection = (state: RunState, gateState: GateState, person: Person, atMs: number): RefusalCode | null => {
  const code = sayObjection(state, gateState, person, atMs);
  const { quorum, editors = [] } = gateState.gate;

  return code ?? (quorum === 1 && editors.includes(person.id) ? "own_edit" : null);
};
