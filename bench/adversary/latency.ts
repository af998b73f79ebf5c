import type { Rules } from "./world";

const MOST = 4_000_000;

export type Latency = { readonly rules: Rules; readonly samples: () => Float32Array };
/** Microseconds. */
export type Summary = { readonly decisions: number; readonly p50Us: number; readonly p95Us: number };

export const timed = (rules: Rules): Latency => {
  const taken = new Float32Array(MOST);
  let count = 0;

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
    samples: () => taken.slice(0, Math.min(count, MOST)),
  };
};

export const summarize = (parts: readonly Float32Array[]): Summary => {
  const sorted = new Float32Array(parts.flatMap((part) => [...part])).toSorted();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;

  return { decisions: sorted.length, p50Us: at(0.5), p95Us: at(0.95) };
};
