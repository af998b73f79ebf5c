/** plan(graph, state) -> next work, at most one item. */
import type { PublishedGraph } from "@/lib/graph/document";
import { listPendingEscalations } from "@/lib/engine/approvals/escalation";
import { findAwaited } from "@/lib/engine/decide/undo";
import { isStaleCase, openCaseHere, openCasesHere } from "@/lib/engine/approvals/cases";
import { findNodeById } from "@/lib/engine/decide/context";
import { listHolding } from "@/lib/engine/decide/turn";
import { getPublishedHere } from "@/lib/engine/frame";
import { isTerminal } from "@/lib/engine/event";
import { findIdleUntil, limitReached } from "@/lib/engine/limits";
import type { WorkBody } from "@/lib/engine/proposal";
import { findOpenWait, heldBy, findNextUndo, type GateState, type RunState } from "@/lib/engine/state";
import { isStale } from "@/lib/engine/ledger/transition";
import { opensCase } from "@/lib/graph/kind-of";

export type Work =
  | { readonly type: "propose"; readonly body: WorkBody }
  | { readonly type: "execute"; readonly node: string; readonly activation: number }
  | { readonly type: "verify"; readonly node: string; readonly activation: number }
  | { readonly type: "undo"; readonly effectId: string }
  /** Idle until then (ms since 1970) without proposals. */
  | { readonly type: "wait"; readonly until: number }
  | { readonly type: "none" };

/** Waits, up to a limit, for calls to undo. */
const unwind = (published: PublishedGraph, state: RunState, at: number): Work => {
  const next = findNextUndo(state);
  if (next) return { type: "undo", effectId: next.effect_id };
  const waited = findAwaited(published, state);
  if (waited && at < waited.until) return { type: "wait", until: waited.until };

  return { type: "propose", body: waited ? { kind: "recover", effect_id: waited.effect.effect_id } : { kind: "unwound" } };
};

/** Returns when a gate escalates or else expires, ms since 1970. */
export const getGateDueAt = (gateState: GateState): number =>
  Math.min(gateState.gate.expires_at, ...(gateState.status === "open" ? listPendingEscalations(gateState).map(({ at }) => at) : []));

/** The runner first checks its tool's availability. */
const awaiting = (waiting: GateState, at: number): Work => {
  const { id: approval_id, expires_at: until } = waiting.gate;
  if (at >= until) return { type: "propose", body: { kind: "expire", approval_id } };
  const dueAt = getGateDueAt(waiting);

  return at >= dueAt ? { type: "propose", body: { kind: "escalate", approval_id } } : { type: "wait", until: dueAt };
};

const caseDue = (published: PublishedGraph, state: RunState, at: number): WorkBody | null => {
  const open = openCaseHere(state);
  const over = openCasesHere(state).find((found) => isStaleCase(state, found) || at >= found.case.expires_at);
  if (over) return { kind: "close_case", case_id: over.case.id };
  const node = findNodeById(getPublishedHere(published, state), state.currentNode);

  return opensCase(node) && !open && state.activation !== null ? { kind: "open_case", activation: state.activation } : null;
};

/**
 * Plans the next work.
 * @param at ms since 1970
 * @param epoch lease; earlier unsettled intents are recovered
 */
export const plan = (published: PublishedGraph, state: RunState, at: number, epoch: number): Work => {
  if (state.version === 0 || isTerminal(state.status)) return { type: "none" };
  if (state.status === "scheduled") return { type: "propose", body: { kind: "begin" } };
  const holding = listHolding(state);
  const stale = holding.find(({ gate }) => isStale(state, gate.transition));
  if (stale) return { type: "propose", body: { kind: "void", approval_id: stale.gate.id } };
  const asked = holding.toSorted((a, b) => getGateDueAt(a) - getGateDueAt(b))[0] ?? heldBy(state);
  if (asked) return awaiting(asked, at);
  const wait = findOpenWait(state);
  if (wait)
    return at >= wait.until ? { type: "propose", body: { kind: "end_wait", wait_id: wait.wait_id } } : { type: "wait", until: wait.until };
  const forfeited = Object.entries(state.reservations).find(
    ([, { activation, epoch: since }]) => since < epoch || activation !== state.activation,
  );
  if (forfeited) return { type: "propose", body: { kind: "forfeit", reservation_id: forfeited[0] } };
  const dangling = Object.values(state.effects).find((effect) => effect.outcome === null && effect.epoch < epoch);
  const limit = limitReached(state, at);
  if (limit) return { type: "propose", body: { kind: "stop", limit } };
  if (dangling) return { type: "propose", body: { kind: "recover", effect_id: dangling.effect_id } };
  if (state.unwinding) return unwind(published, state, at);
  if (state.frameEnd) return { type: "propose", body: { kind: "ascend" } };
  // Retried runs are at work, whatever the next runner's clock says.
  if (state.status === "retrying") {
    return state.retryAt !== null && at < state.retryAt
      ? { type: "wait", until: state.retryAt }
      : { type: "propose", body: { kind: "retry" } };
  }
  const until = findIdleUntil(published, state);
  if (until !== null) return at >= until ? { type: "propose", body: { kind: "stop", limit: "idle_limit" } } : { type: "wait", until };
  const due = caseDue(published, state, at);
  if (due) return { type: "propose", body: due };
  const { currentNode, activation } = state;
  const exists = getPublishedHere(published, state).graph.nodes.some((node) => node.id === currentNode);

  if (!exists || currentNode === null || activation === null) return { type: "none" };
  const verifies = openCasesHere(state).some((found) => found.case.subject.type === "effect");

  return { type: verifies ? "verify" : "execute", node: currentNode, activation };
};
