/** The events that end a visit to a node, whatever kind of proposal ended it. */
import type { PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import type { RunEvent } from "@/lib/engine/event";
import { errorEdge, routeFrom } from "@/lib/engine/decide/route";
import type { Write } from "@/lib/engine/decide/verdict";
import { withCell, type RunState } from "@/lib/engine/state";

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
        content: { known: true, value: write.value as Json },
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

/** The current node fails for good: its error or timeout edge, or the run fails. */
const failNode = (published: PublishedGraph, state: RunState, node: string, code: string): RunEvent[] => {
  const edge = errorEdge(published, node, code.endsWith("timeout"));
  if (edge) return [...running(state), enter(state, edge.target, edge.id)];

  return [status("failed", code)];
};

export type Failure = { readonly code: string; readonly retryable: boolean; readonly jitter: number; readonly retryAfterMs: number | null };

export const failAttempt = (published: PublishedGraph, state: RunState, node: string, at: number, failure: Failure): RunEvent[] => {
  const policy = published.graph.nodes.find((candidate) => candidate.id === node)?.failure_policy;
  const activation = state.activation ?? 0;
  const failures = state.retryCount + 1;
  const again = policy !== undefined && failure.retryable && failures < policy.attempts;
  const delayMs = again ? Math.max(backoffMs(policy, failures, failure.jitter), failure.retryAfterMs ?? 0) : 0;
  const failed: RunEvent = {
    type: "attempt_failed",
    node,
    activation,
    code: failure.code,
    retry_at: again ? at + delayMs : null,
  };

  return again ? [failed, status("retrying", failure.code)] : [failed, ...failNode(published, state, node, failure.code)];
};

/** The current node is done: on along the first open edge, or the run is complete. */
export const completeNode = (published: PublishedGraph, state: RunState, node: string, writes: readonly Write[]): RunEvent[] => {
  const done: RunEvent = { type: "node_completed", node, activation: state.activation ?? 0 };
  const route = routeFrom(published, preview(state, writes), node);
  if ("to" in route) return [done, ...running(state), enter(state, route.to, route.edge, route.label)];
  if ("end" in route) return [done, status("completed", null)];

  return [done, ...failNode(published, state, node, route.failed)];
};
