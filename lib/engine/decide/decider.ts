/** Rules for who may decide, shared with the page. */
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed, type Role } from "@/lib/roles";
import { getDemands } from "@/lib/engine/approvals/escalation";
import { findCaseOfGate } from "@/lib/engine/decide/case-people";
import { findSeat, type Seat } from "@/lib/people/approvers";
import type { GateState, RunState } from "@/lib/engine/state";

/** `seats`: places to decide in; others need naming by id. */
export type Person = { readonly id: string; readonly role: Role; readonly seats?: readonly Seat[] };

const OWN_SEAT: readonly Seat[] = [{ for: [], groups: [] }];

/** Returns why a party may not decide alone, else null. */
const partyObjection = (state: RunState, gateState: GateState, id: string): RefusalCode | null => {
  // Includes initiators of a fork's ancestors.
  if (id === state.start?.initiator || state.fork?.initiators.includes(id) || state.drivers.includes(id)) return "own_run";
  if (findCaseOfGate(state, gateState)?.case.producers.includes(`user:${id}`)) return "own_work";

  const { quorum, not_publisher: isBarred } = gateState.gate;

  return (quorum === 1 || isBarred) && id === state.start?.author ? "own_version" : null;
};

/** Returns the person's place; `open`: no approvers named. */
export const findSeatAt = (state: RunState, gateState: GateState, { id, seats = OWN_SEAT }: Person): Seat | "open" | undefined => {
  const { quorum, editors = [] } = gateState.gate;
  const demands = getDemands(gateState);
  if (!demands) return "open";
  // Delegates must not decide for a party, whatever the quorum.
  const isBarred = (person: string) =>
    partyObjection(state, gateState, person) !== null || person === state.start?.author || editors.includes(person);
  const earlier = gateState.decisions.filter(({ user }) => user !== id);

  return findSeat(id, seats, { demands, quorum, earlier, isBarred });
};

/**
 * Returns why this person has no say.
 * @param atMs ms since 1970
 */
export const sayObjection = (state: RunState, gateState: GateState, person: Person, atMs: number): RefusalCode | null => {
  const { gate } = gateState;
  if (gateState.status !== "open") return "approval_closed";
  if (atMs >= gate.expires_at) return "approval_expired";
  if (!isAllowed(person.role, "approval.decide") || person.role !== gate.role) return "role_missing";

  return partyObjection(state, gateState, person.id) ?? (findSeatAt(state, gateState, person) ? null : "not_named");
};

/** Returns why the person may not decide. Editors never decide alone. */
export const findDeciderObjection = (state: RunState, gateState: GateState, person: Person, atMs: number): RefusalCode | null => {
  const code = sayObjection(state, gateState, person, atMs);
  const { quorum, editors = [] } = gateState.gate;

  return code ?? (quorum === 1 && editors.includes(person.id) ? "own_edit" : null);
};
