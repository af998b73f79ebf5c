import { newKey } from "@/lib/engine/testing/ledger";
import { differencesOf, episodeOf, play } from "./episode";
import { smallest } from "./explore";
import { timed } from "./latency";
import { judgeEverything } from "./oracle/everything";
import { judgeProof } from "./oracle/proof";
import type { Rung } from "./strategies/table";
import { RULES, type Violation } from "./world";

export type Success = Violation & { readonly seed: number; readonly scenario: string; readonly trace: readonly string[] };

export type Range = { readonly rung: Rung; readonly from: number; readonly n: number };

export type Part = {
  /** Episodes also proved and replayed. */
  readonly rarely: number;
  readonly records: number;
  readonly refusals: number;
  readonly successes: readonly Success[];
  /** µs. */
  readonly samples: Float32Array;
};

/** Signing and replaying is slow. */
const RARELY = 50;
const MOST_SUCCESSES = 20;
const SAY_EVERY_MS = 5_000;

/** @param say episodes and successes so far */
export const climb = async ({ rung, from, n }: Range, say: (done: number, successes: number) => void): Promise<Part> => {
  const key = await newKey("adversary");
  const { rules, samples } = timed(RULES);
  const successes: Success[] = [];
  let [records, refusals, rarely, saidAtMs] = [0, 0, 0, performance.now()];
  for (let index = 0; index < n && successes.length < MOST_SUCCESSES; index += 1) {
    const episode = episodeOf(from + index, rung);
    const world = play(episode, rules);
    const found = judgeEverything(world);
    records += world.run.records().length;
    refusals += world.run.state().refusals;
    if (index % RARELY === 0) {
      found.push(...differencesOf(episode), ...(await judgeProof(world, key, episode.seed)));
      rarely += 1;
    }
    const [first] = found;
    if (first) {
      const trace = smallest(episode, first.property).map(({ name }) => name);
      successes.push({ ...first, seed: episode.seed, scenario: episode.scenario.name, trace });
    }
    if (performance.now() - saidAtMs > SAY_EVERY_MS) {
      saidAtMs = performance.now();
      say(index + 1, successes.length);
    }
  }
  say(n, successes.length);

  return { rarely, records, refusals, successes, samples: samples() };
};
