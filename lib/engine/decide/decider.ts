/** Who may decide about a gate: one rule for the decision itself, for edits, and for the page that says so. */
import type { RefusalCode } from "@/lib/refusal";
import { may, type Role } from "@/lib/roles";
import { caseOfGate } from "@/lib/engine/decide/case-people";
import type { GateState, RunState } from "@/lib/engine/state";

type Person = { readonly id: string; readonly role: Role };

/** Why this person has no say about this gate, if so, with the role that they have at this moment. @param atMs ms since 1970 */
export const sayObjection = (state: RunState, gateState: GateState, { id, role }: Person, atMs: number): RefusalCode | null => {
  const { gate } = gateState;
  if (gateState.status !== "open") return "approval_closed";
  if (atMs >= gate.expires_at) return "approval_expired";
  if (!may(role, "approval.decide") || role !== gate.role) return "role_missing";
  // Of a fork, whoever started one of the runs that it goes on from had a part in it too.
  if (id === state.start?.initiator || state.fork?.initiators.includes(id) || state.drivers.includes(id)) return "own_run";
  if (caseOfGate(state, gateState)?.case.producers.includes(`user:${id}`)) return "own_work";

  return gate.quorum === 1 && id === state.start?.author ? "own_version" : null;
};

/** Why this person may not decide, if so. Who edited a proposal has a say about it, but not the only one. */
export const deciderObjection = (state: RunState, gateState: GateState, person: Person, atMs: number): RefusalCode | null => {
  const code = sayObjection(state, gateState, person, atMs);
  const { quorum, editors = [] } = gateState.gate;

  return code ?? (quorum === 1 && editors.includes(person.id) ? "own_edit" : null);
};
