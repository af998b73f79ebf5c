import type { PublishedGraph } from "@/lib/graph/document";
import { findOverspent, isFrameOverspent, type RunBudgetCode } from "@/lib/engine/budget";
import { isResting, type RunState } from "@/lib/engine/state";

export const computeWorkedMs = (state: RunState, at: number): number => {
  if (state.startedAt === null) return 0;
  const waitingNowMs = state.waitingSince === null ? 0 : at - state.waitingSince;

  return at - state.startedAt - state.waitedMs - waitingNowMs;
};

export const computeLeftMs = (state: RunState, at: number): number => {
  const worked = computeWorkedMs(state, at);
  const own = (state.start?.max_execution_time_ms ?? 0) - worked;
  const inside = state.frames.map((frame) => frame.limits.max_execution_time_ms - (worked - frame.entered.workedMs));

  return Math.min(own, ...inside);
};

export type LimitCode = "time_limit" | "iteration_limit";
export type FrameLimitCode = `subgraph_${LimitCode}` | "subgraph_budget";

const runLimit = (state: RunState, at: number): LimitCode | RunBudgetCode | null => {
  if (!state.start) return null;
  if (computeWorkedMs(state, at) >= state.start.max_execution_time_ms) return "time_limit";
  const overspent = findOverspent(state);
  if (overspent) return overspent.code;

  return state.iterationCount >= state.start.max_iterations && (state.currentNode !== null || isResting(state)) ? "iteration_limit" : null;
};

const frameLimit = (state: RunState, at: number): FrameLimitCode | null => {
  if (state.currentNode === null) return null;
  const worked = computeWorkedMs(state, at);
  if (state.frames.some(({ limits, entered }) => worked - entered.workedMs >= limits.max_execution_time_ms)) return "subgraph_time_limit";
  const spent = state.frames.some(({ limits, entered }) => state.iterationCount - entered.iterations >= limits.max_iterations);

  if (spent) return "subgraph_iteration_limit";

  return state.frames.some((frame) => isFrameOverspent(state, frame)) ? "subgraph_budget" : null;
};

/** Returns the limit reached, or null. Undos ignore limits. */
export const limitReached = (state: RunState, at: number): LimitCode | RunBudgetCode | FrameLimitCode | null =>
  state.unwinding ? null : (runLimit(state, at) ?? frameLimit(state, at));

/** Returns when a rest expires, ms since 1970, or null. */
export const findIdleUntil = (published: PublishedGraph, state: RunState): number | null => {
  const { external } = published.graph;

  return external && state.position && isResting(state) ? state.position.since + external.idle_timeout_ms : null;
};
