import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import type { RefusalCode } from "@/lib/refusal";
import { continueRun, type Completion } from "@/lib/engine/decide/complete";
import { findNodeById } from "@/lib/engine/decide/context";
import { isDriven } from "@/lib/engine/decide/settle";
import type { RunEvent } from "@/lib/engine/event";
import { isCallOfModel } from "@/lib/engine/approvals/model-choice";
import { noteFor, listNotes } from "@/lib/engine/approvals/notes";
import { findAside, ownEntry, type GateState, type RunState } from "@/lib/engine/state";
import { getThreadPath } from "@/lib/engine/thread-of";

const isAnswer = (state: RunState, node: GraphNode): boolean =>
  node.kind === "agent" &&
  node.config.annealing === undefined &&
  state.handoff === null &&
  findAside(state, getThreadPath(state)).length > 0;

/** Each proposal sent back uses one attempt of the visit. */
const attemptsLeft = (state: RunState, node: GraphNode): number => {
  const sentBack = listNotes(state).filter(
    ({ approvalId, seq }) => seq > (state.activation ?? 0) && ownEntry(state.gates, approvalId)?.status === "changes_requested",
  );

  return node.failure_policy.attempts - 1 - state.retryCount - sentBack.length;
};

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
      if (!isCallOfModel(published, state, node, gateState)) return "changes_unsupported";

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
    case "budget":
      return "changes_unsupported";
    default:
      return gate.reason satisfies never;
  }
};

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
