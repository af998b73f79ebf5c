/** Waits for providers, recorded for restarts. */
import type { Graph } from "@/lib/graph/document";
import { computeLeftMs } from "@/lib/engine/limits";
import type { RunState } from "@/lib/engine/state";

const DEFAULT_LIMIT_MS = 900_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Returns a graph's limit for one outage, ms. */
export const getOutageLimitMs = (graph: Graph): number => graph.max_outage_ms ?? DEFAULT_LIMIT_MS;

type Wait = { readonly jitter: number; readonly retryAfterMs: number | null };

/** Returns the next wait, ms, up to the limit; then null. */
export const computeOutageWaitMs = (graph: Graph, state: RunState, at: number, { jitter, retryAfterMs }: Wait): number | null => {
  const { since = at, tries = 0 } = state.outage ?? {};
  const leftMs = Math.min(getOutageLimitMs(graph) - (at - since), computeLeftMs(state, at));
  if (leftMs <= 0) return null;
  const backoffMs = Math.round(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries) * (0.5 + jitter / 2));

  return Math.min(leftMs, Math.max(backoffMs, retryAfterMs ?? 0));
};
