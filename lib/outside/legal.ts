/** Legal actions of an external agent, from the state alone. */
import { listActionNodes } from "@/lib/graph/actions";
import type { GraphEdge, PublishedGraph } from "@/lib/graph/document";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { evaluateConditions } from "@/lib/engine/decide/route";
import { isTerminal, type GateReason } from "@/lib/engine/event";
import { isResting, type RunState } from "@/lib/engine/state";

export type Standing =
  | { readonly is: "resting" }
  | { readonly is: "at_work"; readonly action: string }
  | { readonly is: "gated"; readonly action: string; readonly reason: GateReason }
  | { readonly is: "finished" };

export const getStanding = (root: PublishedGraph, state: RunState): Standing => {
  if (isTerminal(state.status) || state.unwinding) return { is: "finished" };
  const open = Object.values(state.gates).find(({ status }) => status === "open");
  // A started run rests before its first action.
  const action = state.frames[0]?.node ?? state.currentNode ?? open?.gate.node ?? root.graph.start_node;
  if (open) return { is: "gated", action, reason: open.gate.reason };

  return isResting(state) ? { is: "resting" } : { is: "at_work", action };
};

export const listLegalActions = (root: PublishedGraph, state: RunState): readonly string[] => {
  if (getStanding(root, state).is !== "resting") return [];

  return (state.position?.actions ?? []).map(({ node }) => node);
};

export type BlockReason =
  | "no_way_from_here"
  | "condition_false"
  | "condition_failed"
  | "chosen_otherwise"
  | "approval_pending"
  | "at_work"
  | "finished";

/** `condition`: text on the closed edge. */
export type BlockedAction = { readonly action: string; readonly reason: BlockReason; readonly condition: string | null };

const WHILE = { at_work: "at_work", gated: "approval_pending", finished: "finished" } as const;

type Tried = ReturnType<typeof evaluateConditions>[number];

const whyNot = (published: PublishedGraph, after: string, tried: readonly Tried[], action: string): Omit<BlockedAction, "action"> => {
  const leading = published.graph.edges.filter(({ source, target }) => source === after && target === action);
  const verdictOf = (edge: GraphEdge) => tried.find((one) => one.edge.id === edge.id)?.verdict;
  const failed = leading.find((edge) => verdictOf(edge) === "error");
  const untrue = leading.find((edge) => verdictOf(edge) === "no");
  if (failed) return { reason: "condition_failed", condition: failed.condition ?? null };
  if (untrue) return { reason: "condition_false", condition: untrue.condition ?? null };
  const node = published.graph.nodes.find(({ id }) => id === after);
  // An edge exists, but was not taken.
  const isWay = leading.some(({ kind }) => kind === "normal" || kind === "default") || (node && listDeclaredTargets(node).includes(action));

  return { reason: isWay ? "chosen_otherwise" : "no_way_from_here", condition: null };
};

export const listBlockedActions = (root: PublishedGraph, state: RunState): readonly BlockedAction[] => {
  const standing = getStanding(root, state);
  const legal = listLegalActions(root, state);
  const others = listActionNodes(root.graph).flatMap(({ id }) => (legal.includes(id) ? [] : [id]));
  if (standing.is !== "resting") return others.map((action) => ({ action, reason: WHILE[standing.is], condition: null }));
  const after = state.position?.after ?? null;
  if (after === null) return others.map((action) => ({ action, reason: "no_way_from_here", condition: null }));
  const tried = evaluateConditions(root, state, after);

  return others.map((action) => ({ action, ...whyNot(root, after, tried, action) }));
};
