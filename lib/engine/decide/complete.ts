import type { PublishedGraph } from "@/lib/graph/document";
import { postDominatorsOf } from "@/lib/graph/dominators";
import type { GraphNode } from "@/lib/graph/document";
import { computes, isIdle, runsGraph } from "@/lib/graph/kind-of";
import { CLEAN, joinLabels, createSourceLabel, type Label } from "@/lib/graph/label";
import { computeBackoffMs } from "@/lib/engine/backoff";
import type { Control, RunEvent } from "@/lib/engine/event";
import { findNodeById } from "@/lib/engine/decide/context";
import { listPassedThresholds } from "@/lib/engine/budget";
import { holdRoute, mustHold } from "@/lib/engine/decide/route-hold";
import { isDriven, settleAfter, settleAgain, type Ahead } from "@/lib/engine/decide/settle";
import { findErrorEdge, isFailureRoute, routeFrom, type Choice, type Route, type Way } from "@/lib/engine/decide/route";
import type { Write } from "@/lib/engine/decide/verdict";
import type { Proposal } from "@/lib/engine/proposal";
import { withCell, type RunState } from "@/lib/engine/state";
import { getContextLabel, listInfluences } from "@/lib/engine/view";

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

type Decision = { readonly at: string; readonly label: Label };

const isClean = (label: Label): boolean =>
  label.integrity === CLEAN.integrity && label.confidentiality === CLEAN.confidentiality && label.provenance.length === 0;

const merged = (controls: readonly Control[]): Control[] =>
  [...Map.groupBy(controls, (control) => control.until)].map(([until, same]) => ({
    until,
    label: joinLabels(same.map((control) => control.label)),
  }));

/** Ends branches at their immediate post-dominator. */
const controlsAt = (published: PublishedGraph, state: RunState, to: string, decision: Decision | null): Control[] => {
  const until = decision && postDominatorsOf(published.graph).immediatePostDominator(decision.at);
  const decided = decision && !isClean(decision.label) ? [{ until, label: decision.label }] : [];

  return merged([...state.controls, ...decided].filter((control) => control.until !== to));
};

export const enter = (
  published: PublishedGraph,
  state: RunState,
  to: string,
  edge: string | null,
  decision: Decision | null = null,
): RunEvent => ({
  type: "node_entered",
  node: to,
  activation: state.version,
  edge,
  controls: controlsAt(published, state, to, decision),
});

/** Moves to a node; externally driven runs rest first. */
export const continueRun = (
  published: PublishedGraph,
  state: RunState,
  from: string,
  ahead: Ahead,
  label: Label | null,
  cause: "completed" | "failed" = "completed",
): RunEvent[] =>
  isDriven(published, state)
    ? settleAfter(from, [ahead], label ?? CLEAN, cause)
    : [...running(state), enter(published, state, ahead.node, ahead.edge, label && { at: from, label })];

/** Calls in flight may need undoing. */
const isChanging = (state: RunState): boolean =>
  Object.values(state.effects).some(
    ({ outcome, undoes, effect_class: effect }) => outcome === null && undoes === null && (effect === "write" || effect === "irreversible"),
  );

export const endRun = (state: RunState, to: NonNullable<RunState["unwinding"]>["to"], reason: string): RunEvent[] => {
  const toUndo = state.compensation.some((undo) => undo.outcome === null);
  if (state.unwinding || !(toUndo || isChanging(state))) return [status(to, reason)];

  return [...running(state), { type: "unwinding", to, reason }];
};

/** Only inputs decide whether these kinds fail. */
const isOurs = (node: GraphNode): boolean => isIdle(node) || computes(node) || runsGraph(node);

const failureLabel = (published: PublishedGraph, state: RunState, node: string): Label => {
  const failing = findNodeById(published, node);
  if (!failing) return CLEAN;
  const outside = isOurs(failing) ? [] : [createSourceLabel("untrusted", "internal", `node:${node}`)];

  return joinLabels([getContextLabel(published, state, failing), ...outside]);
};

export const failHere = (published: PublishedGraph, state: RunState, code: string): RunEvent[] => {
  if (state.frames.length > 0) return [...running(state), { type: "frame_ended", outcome: "failed", code }];

  return (isDriven(published, state) ? settleAgain(state, "failed") : null) ?? endRun(state, "failed", code);
};

/** Fails for good: error or timeout edge, subgraph, or run. */
const failNode = (published: PublishedGraph, state: RunState, node: string, code: string, label: Label): RunEvent[] => {
  const edge = findErrorEdge(published, node, code.endsWith("timeout"));

  return edge
    ? continueRun(published, state, node, { node: edge.target, edge: edge.id }, label, "failed")
    : failHere(published, state, code);
};

export type Completion = { readonly events: RunEvent[]; readonly writes: Write[] };

export type Failure = {
  readonly code: string;
  readonly retryable: boolean;
  readonly jitter: number;
  readonly retryAfterMs: number | null;
  readonly because?: Label;
  /** A person rejected already, so the route is not held again. */
  readonly decided?: boolean;
};

/** Counts abandoned reservations as spent. */
const forfeited = (state: RunState, node: GraphNode | undefined): RunEvent[] => {
  const open = Object.entries(state.reservations).filter(([, reservation]) => reservation.activation === state.activation);
  const released = open.map(([id, { tokens, cost_micro_usd: cost }]) => ({
    type: "reservation_released" as const,
    reservation_id: id,
    tokens,
    cost_micro_usd: cost,
  }));
  const spent = {
    tokens: released.reduce((sum, { tokens }) => sum + tokens, 0),
    cost_micro_usd: released.reduce((sum, { cost_micro_usd: cost }) => sum + cost, 0),
  };

  return [...released, ...(node && released.length > 0 ? listPassedThresholds(state, node, spent) : [])];
};

export const failAttempt = (published: PublishedGraph, state: RunState, proposal: Proposal, node: string, failure: Failure): Completion => {
  const failing = findNodeById(published, node);
  const policy = failing?.failure_policy;
  const activation = state.activation ?? 0;
  const failures = state.retryCount + 1;
  // The timeout spans all attempts.
  const again = policy !== undefined && failure.retryable && failure.code !== "node_timeout" && failures < policy.attempts;
  // Backoff beyond the run's time limit only delays the timeout.
  const longestMs = state.start?.max_execution_time_ms ?? 0;
  const delayMs = again ? Math.min(longestMs, Math.max(computeBackoffMs(policy, failures, failure.jitter), failure.retryAfterMs ?? 0)) : 0;
  const failed: RunEvent[] = [
    ...forfeited(state, failing),
    { type: "attempt_failed", node, activation, code: failure.code, retry_at: again ? proposal.at + delayMs : null },
  ];
  if (again) return { events: [...failed, status("retrying", failure.code)], writes: [] };
  const label = joinLabels([failureLabel(published, state, node), failure.because ?? CLEAN]);
  const edge = findErrorEdge(published, node, failure.code.endsWith("timeout"));
  if (failing && edge && failure.decided !== true) {
    const route: Route = { way: { to: edge.target, edge: edge.id }, label, looked: listInfluences(published, state, failing) };
    const held = mustHold(published, route) ? holdRoute(published, state, proposal, failing, route) : null;
    if (held) return { events: [...failed, ...held.events], writes: held.writes };
  }

  return { events: [...failed, ...failNode(published, state, node, failure.code, label)], writes: [] };
};

const unled = (published: PublishedGraph, state: RunState, node: string, code: string): RunEvent[] =>
  isDriven(published, state) ? [{ type: "attempt_failed", node, activation: state.activation ?? 0, code, retry_at: null }] : [];

export const follow = (published: PublishedGraph, state: RunState, node: string, way: Way, label: Label): RunEvent[] => {
  if ("open" in way) return settleAfter(node, way.open, label, "completed");
  if ("to" in way) {
    return continueRun(
      published,
      state,
      node,
      { node: way.to, edge: way.edge },
      label,
      isFailureRoute(published, way) ? "failed" : "completed",
    );
  }
  if ("failed" in way) return [...unled(published, state, node, way.failed), ...failNode(published, state, node, way.failed, label)];
  if (state.frames.length > 0) return [...running(state), { type: "frame_ended", outcome: "completed", code: null }];

  return [status("completed", null)];
};

/** Follows an edge, ends the run, or holds the route. */
export const completeNode = (
  published: PublishedGraph,
  state: RunState,
  proposal: Proposal,
  node: string,
  writes: readonly Write[],
  choice: Choice | null = null,
): Completion => {
  const done: RunEvent = { type: "node_completed", node, activation: state.activation ?? 0 };
  const after = preview(state, writes);
  const route = routeFrom(published, after, node, choice);
  const here = findNodeById(published, node);
  if (here && mustHold(published, route)) {
    const held = holdRoute(published, after, proposal, here, route);

    return { events: [done, ...held.events], writes: held.writes };
  }

  return { events: [done, ...follow(published, state, node, route.way, route.label)], writes: [] };
};
