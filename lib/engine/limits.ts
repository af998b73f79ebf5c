/** The limits of a run as a whole, and of the subgraphs that it is in. */
import type { PublishedGraph } from "@/lib/graph/document";
import { isResting, type RunState } from "@/lib/engine/state";

/** Time the run has worked, in ms: since its start, without the time it waited for people. Survives resumes. */
export const workedMs = (state: RunState, at: number): number => {
  if (state.startedAt === null) return 0;
  const waitingNowMs = state.waitingSince === null ? 0 : at - state.waitingSince;

  return at - state.startedAt - state.waitedMs - waitingNowMs;
};

/** Time left until the run, or a subgraph that it is in, has worked as long as it may. In ms. */
export const leftMs = (state: RunState, at: number): number => {
  const worked = workedMs(state, at);
  const own = (state.start?.max_execution_time_ms ?? 0) - worked;
  const inside = state.frames.map((frame) => frame.limits.max_execution_time_ms - (worked - frame.entered.workedMs));

  return Math.min(own, ...inside);
};

export type LimitCode = "time_limit" | "iteration_limit";
export type FrameLimitCode = `subgraph_${LimitCode}`;

/** The limit of the run that keeps the next node from being worked on, if any. A limit of N lets exactly N through. */
const runLimit = (state: RunState, at: number): LimitCode | null => {
  if (!state.start) return null;
  if (workedMs(state, at) >= state.start.max_execution_time_ms) return "time_limit";

  return state.iterationCount >= state.start.max_iterations && (state.currentNode !== null || isResting(state)) ? "iteration_limit" : null;
};

/** The limit of a subgraph that keeps its next node from being worked on, if any. */
const frameLimit = (state: RunState, at: number): FrameLimitCode | null => {
  if (state.currentNode === null) return null;
  const worked = workedMs(state, at);
  if (state.frames.some(({ limits, entered }) => worked - entered.workedMs >= limits.max_execution_time_ms)) return "subgraph_time_limit";
  const spent = state.frames.some(({ limits, entered }) => state.iterationCount - entered.iterations >= limits.max_iterations);

  return spent ? "subgraph_iteration_limit" : null;
};

/** What is undone at the end of a run is undone whatever its limits were. */
export const limitReached = (state: RunState, at: number): LimitCode | FrameLimitCode | null =>
  state.unwinding ? null : (runLimit(state, at) ?? frameLimit(state, at));

/** Until when a run that rests waits for an outside agent to come back, ms since 1970; null when it does not rest. */
export const idleUntil = (published: PublishedGraph, state: RunState): number | null => {
  const { external } = published.graph;

  return external && state.position && isResting(state) ? state.position.since + external.idle_timeout_ms : null;
};
