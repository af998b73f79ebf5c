/** The limits of a run as a whole. */
import type { RunState } from "@/lib/engine/state";

/** Time the run has worked, in ms: since its start, without the time it waited for people. Survives resumes. */
export const workedMs = (state: RunState, at: number): number => {
  if (state.startedAt === null) return 0;
  const waitingNowMs = state.waitingSince === null ? 0 : at - state.waitingSince;

  return at - state.startedAt - state.waitedMs - waitingNowMs;
};

/** The limit that keeps the next node from being worked on, if any. A limit of N lets exactly N through. */
export const limitReached = (state: RunState, at: number): "time_limit" | "iteration_limit" | null => {
  if (!state.start) return null;
  if (workedMs(state, at) >= state.start.max_execution_time_ms) return "time_limit";

  return state.iterationCount >= state.start.max_iterations && state.currentNode !== null ? "iteration_limit" : null;
};
