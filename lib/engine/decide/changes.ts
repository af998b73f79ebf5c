import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { asksPerson, callsTool } from "@/lib/graph/kind-of";
import { ownMember } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import { continueRun, type Completion } from "@/lib/engine/decide/complete";
import { findNodeById } from "@/lib/engine/decide/context";
import { isDriven } from "@/lib/engine/decide/settle";
import type { RunEvent } from "@/lib/engine/event";
import { noteFor, listNotes } from "@/lib/engine/approvals/notes";
import { findAside, getKnownValue, type GateState, type RunState } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";
import { getThreadPath } from "@/lib/engine/thread-of";

const isOfModel = (published: PublishedGraph, state: RunState, node: GraphNode, gateState: GateState): boolean => {
  const named = ownMember(getKnownValue(findAside(state, `$pending.${gateState.gate.id}`).at(-1)), "task");
  const task = typeof named === "string" ? findTask(published, state, node, named) : null;

  return task !== null && task.agent !== null && !callsTool(task.acting);
};

const isAnswer = (state: RunState, node: GraphNode): boolean =>
  node.kind === "agent" &&
  node.config.annealing === undefined &&
  state.handoff === null &&
  findAside(state, getThreadPath(state)).length > 0;

/** Each rejected proposal uses one attempt of the visit. */
const attemptsLeft = (state: RunState, node: GraphNode): number =>
  node.failure_policy.attempts - 1 - state.retryCount - listNotes(state).filter(({ seq }) => seq > (state.activation ?? 0)).length;

/** Returns why changes cannot be requested, or null. */
export const findChangesObjection = (published: PublishedGraph, state: RunState, gateState: GateState): RefusalCode | null => {
  const { gate } = gateState;
  const node = findNodeById(published, gate.node);
  if (!node) return "changes_unsupported";
  switch (gate.reason) {
    case "approval_node": {
      const to = asksPerson(node) ? node.config.changes_node : undefined;

      return to !== undefined && findNodeById(published, to) && !isDriven(published, state) ? null : "changes_unsupported";
    }
    case "effect":
    case "tainted_effect":
      if (!isOfModel(published, state, node, gateState)) return "changes_unsupported";

      return attemptsLeft(state, node) > 0 ? null : "changes_limit";
    case "protected_key":
      if (!isAnswer(state, node)) return "changes_unsupported";

      return attemptsLeft(state, node) > 0 ? null : "changes_limit";
    case "tainted_route":
    case "unclear_effect":
    case "undo":
    case "requested":
    case "review":
    case "tool_input":
      return "changes_unsupported";
    default:
      return gate.reason satisfies never;
  }
};

/** Returns the run to its author with a note. */
export const sendBack = (published: PublishedGraph, state: RunState, { gate }: GateState, user: string, text: string): Completion => {
  const resume: RunEvent = { type: "status_changed", to: "running", reason: null };
  const node = findNodeById(published, gate.node);
  const to = asksPerson(node) ? node.config.changes_node : undefined;
  if (gate.reason !== "approval_node" || !node || to === undefined) {
    return { events: [resume], writes: [noteFor(state.activation, gate.id, user, text)] };
  }
  const done: RunEvent = { type: "node_completed", node: node.id, activation: state.activation ?? 0 };

  return {
    events: [resume, done, ...continueRun(published, { ...state, status: "running" }, node.id, { node: to, edge: null }, null)],
    writes: [noteFor(state.version, gate.id, user, text)],
  };
};
