/** Limits of a run and of its subgraphs. */
import type { PublishedGraph } from "@/lib/graph/document";
import { isResting, type RunState } from "@/lib/engine/state";

/** Returns working time, ms, without waits for people. Survives resumes. */
export const computeWorkedMs = (state: RunState, at: number): number => {
  if (state.startedAt === null) return 0;
  const waitingNowMs = state.waitingSince === null ? 0 : at - state.waitingSince;

  return at - state.startedAt - state.waitedMs - waitingNowMs;
};

/** Returns the time left until the run or a subgraph reaches its limit, ms. */
export const computeLeftMs = (state: RunState, at: number): number => {
  const worked = computeWorkedMs(state, at);
  const own = (state.start?.max_execution_time_ms ?? 0) - worked;
  const inside = state.frames.map((frame) => frame.limits.max_execution_time_ms - (worked - frame.entered.workedMs));

  return Math.min(own, ...inside);
};

export type LimitCode = "time_limit" | "iteration_limit";
export type FrameLimitCode = `subgraph_${LimitCode}`;

/** Returns the run limit that blocks the next node. A limit of N allows exactly N. */
const runLimit = (state: RunState, at: number): LimitCode | null => {
  if (!state.start) return null;
  if (computeWorkedMs(state, at) >= state.start.max_execution_time_ms) return "time_limit";

  return state.iterationCount >= state.start.max_iterations && (state.currentNode !== null || isResting(state)) ? "iteration_limit" : null;
};

/** Returns the subgraph limit that blocks its next node. */
const frameLimit = (state: RunState, at: number): FrameLimitCode | null => {
  if (state.currentNode === null) return null;
  const worked = computeWorkedMs(state, at);
  if (state.frames.some(({ limits, entered }) => worked - entered.workedMs >= limits.max_execution_time_ms)) return "subgraph_time_limit";
  const spent = state.frames.some(({ limits, entered }) => state.iterationCount - entered.iterations >= limits.max_iterations);

  return spent ? "subgraph_iteration_limit" : null;
};

/** Undos ignore limits. */
export const limitReached = (state: RunState, at: number): LimitCode | FrameLimitCode | null =>
  state.unwinding ? null : (runLimit(state, at) ?? frameLimit(state, at));

/** Returns until when a resting run waits, ms since 1970; null when not resting. */
export const findIdleUntil = (published: PublishedGraph, state: RunState): number | null => {
  const { external } = published.graph;

  return external && state.position && isResting(state) ? state.position.since + external.idle_timeout_ms : null;
};
