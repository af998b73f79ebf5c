/** The events that end a visit to a node, whatever kind of proposal ended it. */
import type { PublishedGraph } from "@/lib/graph/document";
import { postDominatorsOf } from "@/lib/graph/dominators";
import type { GraphNode } from "@/lib/graph/document";
import { CLEAN, joinLabels, source, type Label } from "@/lib/graph/label";
import { backoffMs } from "@/lib/engine/backoff";
import type { Control, RunEvent } from "@/lib/engine/event";
import { nodeById } from "@/lib/engine/decide/context";
import { thresholdsPassed } from "@/lib/engine/budget";
import { holdRoute, mustHold } from "@/lib/engine/decide/hold";
import { isDriven, restAfter, restAgain, type Ahead } from "@/lib/engine/decide/rest";
import { errorEdge, isFailureRoute, routeFrom, type Choice, type Route, type Way } from "@/lib/engine/decide/route";
import type { Write } from "@/lib/engine/decide/verdict";
import type { Proposal } from "@/lib/engine/proposal";
import { withCell, type RunState } from "@/lib/engine/state";
import { contextLabel, influences } from "@/lib/engine/view";

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

/** A choice between ways: where it was made, and what it depended on. */
type Decision = { readonly at: string; readonly label: Label };

const isClean = (label: Label): boolean =>
  label.integrity === CLEAN.integrity && label.confidentiality === CLEAN.confidentiality && label.provenance.length === 0;

/** One entry per place where decisions end to matter. */
const merged = (controls: readonly Control[]): Control[] =>
  [...Map.groupBy(controls, (control) => control.until)].map(([until, same]) => ({
    until,
    label: joinLabels(same.map((control) => control.label)),
  }));

/**
 * What being at `to` depends on: every decision whose ways have not all come together again. That is at the decision's
 * immediate post-dominator, which every way from it passes.
 */
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

/** On to a node; where outside agents drive, the run rests until one takes it as the next action. `label` null: nothing was decided. */
export const goOn = (
  published: PublishedGraph,
  state: RunState,
  from: string,
  ahead: Ahead,
  label: Label | null,
  cause: "completed" | "failed" = "completed",
): RunEvent[] =>
  isDriven(published, state)
    ? restAfter(from, [ahead], label ?? CLEAN, cause)
    : [...running(state), enter(published, state, ahead.node, ahead.edge, label && { at: from, label })];

/** Whether a call that changes the world is under way: what comes of it may have to be undone too. */
const isChanging = (state: RunState): boolean =>
  Object.values(state.effects).some(
    ({ outcome, undoes, effect_class: effect }) => outcome === null && undoes === null && (effect === "write" || effect === "irreversible"),
  );

/** The run ends like this, once what it did is undone. */
export const endRun = (state: RunState, to: NonNullable<RunState["unwinding"]>["to"], reason: string): RunEvent[] => {
  const toUndo = state.compensation.some((undo) => undo.outcome === null);
  if (state.unwinding || !(toUndo || isChanging(state))) return [status(to, reason)];

  return [...running(state), { type: "unwinding", to, reason }];
};

/** These compute and ask nobody, so only what they were given decides whether they fail. */
const isOurs = ({ kind }: GraphNode): boolean => kind === "router" || kind === "transform" || kind === "approval" || kind === "subgraph";

/**
 * What a failure depended on: all that the node was given, and where a model or a server takes part, whatever they chose
 * to do or not to do. The way along an error edge carries it.
 */
const failureLabel = (published: PublishedGraph, state: RunState, node: string): Label => {
  const failing = nodeById(published, node);
  if (!failing) return CLEAN;
  const outside = isOurs(failing) ? [] : [source("untrusted", "internal", `node:${node}`)];

  return joinLabels([contextLabel(published, state, failing), ...outside]);
};

/** No way leads on from a failure: the subgraph that the run is in fails, or the run, or the action that an outside agent took. */
export const failHere = (published: PublishedGraph, state: RunState, code: string): RunEvent[] => {
  if (state.frames.length > 0) return [...running(state), { type: "frame_ended", outcome: "failed", code }];

  return (isDriven(published, state) ? restAgain(state, "failed") : null) ?? endRun(state, "failed", code);
};

/** The current node fails for good: its error or timeout edge, or the subgraph that it is in fails, or the run. */
const failNode = (published: PublishedGraph, state: RunState, node: string, code: string, label: Label): RunEvent[] => {
  const edge = errorEdge(published, node, code.endsWith("timeout"));

  return edge ? goOn(published, state, node, { node: edge.target, edge: edge.id }, label, "failed") : failHere(published, state, code);
};

/** What completing adds to the node's own writes: events, and the pending cell of a gate if the way on has to wait. */
export type Completion = { readonly events: RunEvent[]; readonly writes: Write[] };

export type Failure = {
  readonly code: string;
  readonly retryable: boolean;
  readonly jitter: number;
  readonly retryAfterMs: number | null;
  /** What else it depended on, besides what the node was given. */
  readonly because?: Label;
  /** A person has said no: nobody is asked about the way once more. */
  readonly decided?: boolean;
};

/** What the calls that nobody waits for any more may have cost counts as spent. */
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

  return [...released, ...(node && released.length > 0 ? thresholdsPassed(state, node, spent) : [])];
};

/** The attempt has failed: another one, or the node's error edge, or the end of the subgraph or the run. */
export const failAttempt = (published: PublishedGraph, state: RunState, proposal: Proposal, node: string, failure: Failure): Completion => {
  const failing = nodeById(published, node);
  const policy = failing?.failure_policy;
  const activation = state.activation ?? 0;
  const failures = state.retryCount + 1;
  // The time of a node is over for all of its attempts, whatever an executor says about trying again.
  const again = policy !== undefined && failure.retryable && failure.code !== "node_timeout" && failures < policy.attempts;
  // Waiting longer than the whole run may take would only keep its end from being noticed.
  const longestMs = state.start?.max_execution_time_ms ?? 0;
  const delayMs = again ? Math.min(longestMs, Math.max(backoffMs(policy, failures, failure.jitter), failure.retryAfterMs ?? 0)) : 0;
  const failed: RunEvent[] = [
    ...forfeited(state, failing),
    { type: "attempt_failed", node, activation, code: failure.code, retry_at: again ? proposal.at + delayMs : null },
  ];
  if (again) return { events: [...failed, status("retrying", failure.code)], writes: [] };
  const label = joinLabels([failureLabel(published, state, node), failure.because ?? CLEAN]);
  const edge = errorEdge(published, node, failure.code.endsWith("timeout"));
  if (failing && edge && failure.decided !== true) {
    // To fail is to choose a way as well, where there is one.
    const route: Route = { way: { to: edge.target, edge: edge.id }, label, looked: influences(published, state, failing) };
    const held = mustHold(published, route) ? holdRoute(published, state, proposal, failing, route) : null;
    if (held) return { events: [...failed, ...held.events], writes: held.writes };
  }

  return { events: [...failed, ...failNode(published, state, node, failure.code, label)], writes: [] };
};

/** A run that ends with a code says so itself; one that goes on at rest has it on record that the action failed, and why. */
const unled = (published: PublishedGraph, state: RunState, node: string, code: string): RunEvent[] =>
  isDriven(published, state) ? [{ type: "attempt_failed", node, activation: state.activation ?? 0, code, retry_at: null }] : [];

/** On along a way that is decided. */
export const follow = (published: PublishedGraph, state: RunState, node: string, way: Way, label: Label): RunEvent[] => {
  if ("open" in way) return restAfter(node, way.open, label, "completed");
  if ("to" in way) {
    return goOn(published, state, node, { node: way.to, edge: way.edge }, label, isFailureRoute(published, way) ? "failed" : "completed");
  }
  if ("failed" in way) return [...unled(published, state, node, way.failed), ...failNode(published, state, node, way.failed, label)];
  if (state.frames.length > 0) return [...running(state), { type: "frame_ended", outcome: "completed", code: null }];

  return [status("completed", null)];
};

/**
 * The current node is done: on along the way that was chosen, or the first open edge, or the run is complete, or a person
 * is asked for the way.
 */
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
  const here = nodeById(published, node);
  if (here && mustHold(published, route)) {
    const held = holdRoute(published, after, proposal, here, route);

    return { events: [done, ...held.events], writes: held.writes };
  }

  return { events: [done, ...follow(published, state, node, route.way, route.label)], writes: [] };
};
