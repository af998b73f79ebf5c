/** How long `decide` takes by itself. */
import type { Rules } from "./world";

const MOST = 4_000_000;

export type Latency = { readonly rules: Rules; readonly summary: () => Summary };
/** In microseconds. */
export type Summary = { readonly decisions: number; readonly p50Us: number; readonly p95Us: number };

/** The same rules, with a watch. */
export const timed = (rules: Rules): Latency => {
  const taken = new Float32Array(MOST);
  let count = 0;
  const at = (sorted: Float32Array, share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;

  return {
    rules: {
      ...rules,
      decide: (published, state, proposal) => {
        const startedMs = performance.now();
        const verdict = rules.decide(published, state, proposal);
        taken[count % MOST] = (performance.now() - startedMs) * 1_000;
        count += 1;

        return verdict;
      },
    },
    summary: () => {
      const sorted = taken.slice(0, Math.min(count, MOST)).toSorted();

      return { decisions: count, p50Us: at(sorted, 0.5), p95Us: at(sorted, 0.95) };
    },
  };
};
