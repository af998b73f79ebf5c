import type { Label } from "@/lib/graph/label";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { findAside, getKnownValue, ownEntry, type Effect, type GateState, type RunState } from "@/lib/engine/state";
import { holdsAt } from "@/lib/engine/ledger/transition";

/** Lists a gate and those its edits replaced, newest first. */
export const listEdits = (state: RunState, gateState: GateState): readonly GateState[] => {
  const line = [gateState];
  for (let at = gateState; at.gate.supersedes !== undefined;) {
    const before = ownEntry(state.gates, at.gate.supersedes);
    if (before?.status !== "superseded" || line.includes(before)) return line;
    line.push(before);
    at = before;
  }

  return line;
};

/** Returns whether a gate, or one it replaced, is about this transition. */
export const isAbout = (state: RunState, gateState: GateState, digest: string): boolean =>
  listEdits(state, gateState).some(({ gate }) => gate.transition_digest === digest);

export type EditedCall = { readonly gateState: GateState; readonly arguments: JsonObject; readonly label: Label };

/**
 * Returns the valid unused edit of this call.
 * @param at ms since 1970
 */
export const findEditedCall = (state: RunState, digest: string, at: number): EditedCall | null => {
  // The latest gate about it wins.
  const last = Object.values(state.gates).findLast((candidate) => isAbout(state, candidate, digest));
  const gateState = last?.gate.editors !== undefined && holdsAt(state, last, at) ? last : undefined;
  const cell = gateState && findAside(state, `$pending.${gateState.gate.id}`).at(-1);
  const args = ownMember(getKnownValue(cell), "arguments");

  return gateState && cell && isJsonObject(args) ? { gateState, arguments: args, label: cell.label } : null;
};

export const findSentBack = (state: RunState, digest: string): GateState | undefined =>
  Object.values(state.gates).findLast(
    (candidate) =>
      candidate.status === "changes_requested" && candidate.gate.reason !== "approval_node" && isAbout(state, candidate, digest),
  );

/** Returns the arguments a person changed, else null. */
export const getChangedArguments = (state: RunState, effect: Effect): Json | null => {
  const gateState = effect.approval_id === null ? undefined : ownEntry(state.gates, effect.approval_id);
  if (gateState?.gate.editors === undefined) return null;

  return getKnownValue(findAside(state, `$arguments.${effect.effect_id}`).at(-1)) ?? null;
};
