/** The events that end a visit to a node, whatever kind of proposal ended it. */
import type { PublishedGraph } from "@/lib/graph/document";
import { joinLabels, source, type Label } from "@/lib/graph/label";
import type { RunEvent } from "@/lib/engine/event";
import { nodeById } from "@/lib/engine/decide/context";
import { holdRoute, mustHold } from "@/lib/engine/decide/hold";
import { errorEdge, routeFrom, type Way } from "@/lib/engine/decide/route";
import type { Write } from "@/lib/engine/decide/verdict";
import type { Proposal } from "@/lib/engine/proposal";
import { withCell, type RunState } from "@/lib/engine/state";
import { contextLabel } from "@/lib/engine/view";

/** The state as it will be once `writes` are committed; good for routing, not for keeping. */
const preview = (state: RunState, writes: readonly Write[]): RunState => ({
  ...state,
  cells: writes.reduce(
    (cells, write, index) =>
      withCell(cells, {
        path: write.path,
        label: write.label,
        seq: state.version,
        index,
        commitment: "",
        content: { known: true, value: write.value },
      }),
    state.cells,
  ),
});

const status = (to: Extract<RunEvent, { type: "status_changed" }>["to"], reason: string | null): RunEvent => ({
  type: "status_changed",
  to,
  reason,
});

const running = (state: RunState): RunEvent[] => (state.status === "running" ? [] : [status("running", null)]);

/** Backoff before attempt n + 1, with full jitter for the exponential kind, never less than what the server asked for. */
const backoffMs = (policy: { backoff: string; backoff_ms: number }, failures: number, jitter: number): number => {
  if (policy.backoff === "fixed") return policy.backoff_ms;
  if (policy.backoff === "linear") return policy.backoff_ms * failures;

  return Math.round(policy.backoff_ms * 2 ** (failures - 1) * jitter);
};

export const enter = (state: RunState, node: string, edge: string | null, label = state.controlLabel): RunEvent => ({
  type: "node_entered",
  node,
  activation: state.version,
  edge,
  label,
});

/**
 * What a failure depended on: all that the node was given, and where a model or a server takes part, whatever they chose
 * to do or not to do. The way along an error edge carries it.
 */
const failureLabel = (published: PublishedGraph, state: RunState, node: string): Label => {
  const failing = nodeById(published, node);
  if (!failing) return state.controlLabel;
  const outside = failing.kind === "agent" || failing.kind === "tool" ? [source("untrusted", "internal", `node:${node}`)] : [];

  return joinLabels([contextLabel(published, state, failing), ...outside]);
};

/** The current node fails for good: its error or timeout edge, or the run fails. */
const failNode = (published: PublishedGraph, state: RunState, node: string, code: string, label: Label): RunEvent[] => {
  const edge = errorEdge(published, node, code.endsWith("timeout"));
  if (edge) return [...running(state), enter(state, edge.target, edge.id, label)];

  return [status("failed", code)];
};

export type Failure = { readonly code: string; readonly retryable: boolean; readonly jitter: number; readonly retryAfterMs: number | null };

export const failAttempt = (published: PublishedGraph, state: RunState, node: string, at: number, failure: Failure): RunEvent[] => {
  const policy = published.graph.nodes.find((candidate) => candidate.id === node)?.failure_policy;
  const activation = state.activation ?? 0;
  const failures = state.retryCount + 1;
  const again = policy !== undefined && failure.retryable && failures < policy.attempts;
  // Waiting longer than the whole run may take would only keep its end from being noticed.
  const longestMs = state.start?.max_execution_time_ms ?? 0;
  const delayMs = again ? Math.min(longestMs, Math.max(backoffMs(policy, failures, failure.jitter), failure.retryAfterMs ?? 0)) : 0;
  const failed: RunEvent = {
    type: "attempt_failed",
    node,
    activation,
    code: failure.code,
    retry_at: again ? at + delayMs : null,
  };

  return again
    ? [failed, status("retrying", failure.code)]
    : [failed, ...failNode(published, state, node, failure.code, failureLabel(published, state, node))];
};

/** On along a way that is decided. */
export const follow = (published: PublishedGraph, state: RunState, node: string, way: Way, label: Label): RunEvent[] => {
  if ("to" in way) return [...running(state), enter(state, way.to, way.edge, label)];

  return "end" in way ? [status("completed", null)] : failNode(published, state, node, way.failed, label);
};

/** What completing adds to the node's own writes: events, and the pending cell of a gate if the way on has to wait. */
export type Completion = { readonly events: RunEvent[]; readonly writes: Write[] };

/** The current node is done: on along the first open edge, or the run is complete, or a person is asked for the way. */
export const completeNode = (
  published: PublishedGraph,
  state: RunState,
  proposal: Proposal,
  node: string,
  writes: readonly Write[],
): Completion => {
  const done: RunEvent = { type: "node_completed", node, activation: state.activation ?? 0 };
  const after = preview(state, writes);
  const route = routeFrom(published, after, node);
  const here = nodeById(published, node);
  if (here && mustHold(published, route)) {
    const held = holdRoute(published, after, proposal, here, route);

    return { events: [done, ...held.events], writes: held.writes };
  }

  return { events: [done, ...follow(published, state, node, route.way, route.label)], writes: [] };
};
