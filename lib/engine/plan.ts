/** plan(graph, state) -> what is to be done next. One node is active at a time, so it is one thing or nothing. */
import type { PublishedGraph } from "@/lib/graph/document";
import { isTerminal } from "@/lib/engine/event";
import { limitReached } from "@/lib/engine/limits";
import type { WorkBody } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import { isStale } from "@/lib/engine/transition";

export type Work =
  | { readonly type: "propose"; readonly body: WorkBody }
  | { readonly type: "execute"; readonly node: string; readonly activation: number }
  /** Nothing to do before `until` (ms since 1970), unless somebody proposes something. */
  | { readonly type: "wait"; readonly until: number }
  | { readonly type: "none" };

/**
 * @param at the runner's time, ms since 1970
 * @param epoch the runner's lease: intents of earlier leases without outcome are to be recovered
 */
export const plan = (published: PublishedGraph, state: RunState, at: number, epoch: number): Work => {
  if (state.version === 0 || isTerminal(state.status)) return { type: "none" };
  if (state.status === "scheduled") return { type: "propose", body: { kind: "begin" } };
  const open = Object.values(state.gates).find((gate) => gate.status === "open");
  if (open && isStale(state, open.gate.transition)) return { type: "propose", body: { kind: "void", approval_id: open.gate.id } };
  if (open) {
    return at >= open.gate.expires_at
      ? { type: "propose", body: { kind: "expire", approval_id: open.gate.id } }
      : { type: "wait", until: open.gate.expires_at };
  }
  const limit = limitReached(state, at);
  if (limit) return { type: "propose", body: { kind: "stop", limit } };
  const dangling = Object.values(state.effects).find((effect) => effect.outcome === null && effect.epoch < epoch);
  if (dangling) return { type: "propose", body: { kind: "recover", effect_id: dangling.effect_id } };
  if (state.retryAt !== null && at < state.retryAt) return { type: "wait", until: state.retryAt };
  const { currentNode, activation } = state;
  const exists = published.graph.nodes.some((node) => node.id === currentNode);

  return exists && currentNode !== null && activation !== null ? { type: "execute", node: currentNode, activation } : { type: "none" };
};
