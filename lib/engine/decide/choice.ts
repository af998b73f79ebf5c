/** Supervisor choices and hand-offs; edges decide the rest. */
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import type { KindChoice } from "@/lib/graph/kinds/define-kind";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { ownMember, type Json } from "@/lib/json";
import { refuse, type Refusal } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import type { Action } from "@/lib/engine/outside/action";
import type { Choice } from "@/lib/engine/decide/route";
import type { Write } from "@/lib/engine/decide/verdict";
import type { RunEvent } from "@/lib/engine/event";
import { getNodeKey } from "@/lib/engine/frame";
import { ownEntry, type RunState } from "@/lib/engine/state";
import { getContextLabel, listInfluences } from "@/lib/engine/view";

export type Chosen = { readonly choice: Choice | null; readonly events: readonly RunEvent[]; readonly writes: readonly Write[] };

const NOTHING: Chosen = { choice: null, events: [], writes: [] };

type Control = Exclude<Action, { type: "update_memory" | "merge_parallel_results" }>;

const findChoice = (node: GraphNode, by: KindChoice["by"]): KindChoice | undefined => {
  const choice = getKind(node).choice(node.config);

  return choice?.by === by ? choice : undefined;
};

const managedBy = (node: GraphNode): readonly string[] => findChoice(node, "goto")?.targets ?? [];

const chooser = (published: PublishedGraph, state: RunState, node: GraphNode, to: string | null, managed: readonly string[]): Choice => ({
  to,
  label: getContextLabel(published, state, node),
  looked: listInfluences(published, state, node),
  managed,
});

const reasonOf = (published: PublishedGraph, state: RunState, node: GraphNode, reason: string | undefined): Write[] =>
  reason === undefined
    ? []
    : [{ path: `$routing.${state.activation}`, value: reason.toWellFormed(), label: getContextLabel(published, state, node) }];

/** Returns whether a node may not choose again. */
export const isOutOfChoices = (state: RunState, node: GraphNode): boolean => {
  const choice = findChoice(node, "goto");

  return choice !== undefined && (ownEntry(state.choices, getNodeKey(state, node.id)) ?? 0) >= choice.most;
};

const supervised = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode,
  { targets }: KindChoice,
  controls: readonly Control[],
): Result<Chosen, Refusal> => {
  const legal = targets.map((managed) => `goto_node:${managed}`);
  const [chosen, more] = controls;
  if (more) return err(refuse("action_not_granted", [more.type], legal));
  if (chosen && chosen.type !== "goto_node") return err(refuse("action_not_granted", [chosen.type], legal));
  const to = chosen?.node ?? null;
  const exists = published.graph.nodes.some((candidate) => candidate.id === to);
  if (to !== null && !targets.includes(to)) return err(refuse("supervisor_routing", exists ? [to] : [], legal));
  if (isOutOfChoices(state, node)) return err(refuse("supervisor_limit", [node.id]));

  return ok({
    choice: chooser(published, state, node, to, targets),
    events: [{ type: "supervisor_chose", node: node.id, activation: state.activation ?? 0, to }],
    writes: reasonOf(published, state, node, chosen?.reason),
  });
};

/** Not handing off is a choice too. */
const swarmed = (published: PublishedGraph, state: RunState, node: GraphNode): Chosen => ({
  ...NOTHING,
  choice: chooser(published, state, node, state.handoff, managedBy(node)),
});

/** Restores the choice beside pending writes. */
export const repeatChoice = (published: PublishedGraph, state: RunState, node: GraphNode, pending: Json): Choice | null => {
  const to = ownMember(pending, "choice");
  if (to === null) return chooser(published, state, node, null, managedBy(node));

  return typeof to === "string" && listDeclaredTargets(node).includes(to) ? chooser(published, state, node, to, managedBy(node)) : null;
};

/** Returns the result's choice, or its refusal. */
export const checkChosenControls = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode,
  controls: readonly Control[],
): Result<Chosen, Refusal> => {
  const choice = getKind(node).choice(node.config);
  if (choice?.by === "goto") return supervised(published, state, node, choice, controls);
  const [first] = controls;
  if (first) return err(refuse(first.type === "resume_from_human" ? "principal_not_allowed" : "action_not_granted", [first.type]));

  return ok(choice ? swarmed(published, state, node) : NOTHING);
};

/** Hands off to a declared peer, up to the limit. */
export const handOff = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode,
  action: Extract<Action, { type: "handoff" }>,
): Result<{ readonly events: RunEvent[]; readonly writes: Write[] }, Refusal> => {
  const choice = findChoice(node, "handoff");
  if (!choice) return err(refuse("action_not_granted", [action.type]));
  const legal = choice.targets.map((peer) => `handoff:${peer}`);
  const exists = published.graph.nodes.some((candidate) => candidate.id === action.node);
  if (!choice.targets.includes(action.node)) return err(refuse("handoff_not_declared", exists ? [action.node] : [], legal));
  if (state.handoff !== null) return err(refuse("version_conflict", [node.id]));
  if (state.handoffs >= choice.most) return err(refuse("handoff_limit", [node.id]));

  return ok({
    events: [{ type: "handed_off", node: node.id, activation: state.activation ?? 0, to: action.node }],
    writes: reasonOf(published, state, node, action.reason),
  });
};
