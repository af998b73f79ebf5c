/** N episodes against the whole engine on each rung, and then each guard taken away in turn. */
import { newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { ablate, GUARDS, type Ablated } from "./ablation";
import { benignRuns, type Benign } from "./benign";
import { differencesOf, episodeOf, play } from "./episode";
import { smallest } from "./explore";
import { timed, type Summary } from "./latency";
import { judgeEverything } from "./oracle/everything";
import { judgeProof } from "./oracle/proof";
import { RARELY } from "./properties";
import { RUNGS, type Rung } from "./strategies/table";
import { RULES, type Violation } from "./world";

export type Success = Violation & {
  readonly rung: Rung;
  readonly seed: number;
  readonly scenario: string;
  readonly trace: readonly string[];
};

export type Climbed = {
  readonly rung: Rung;
  readonly n: number;
  /** How many of them were also proved and played again. */
  readonly rarely: number;
  readonly records: number;
  readonly refusals: number;
  readonly successes: readonly Success[];
  readonly latency: Summary;
  readonly seconds: number;
};

export type Campaign = {
  readonly seed: number;
  readonly rungs: readonly Climbed[];
  readonly benign: readonly Benign[];
  readonly ablation: readonly Ablated[];
  readonly seconds: number;
};

export type Options = {
  readonly n: number;
  readonly seed: number;
  readonly mostAblated: number;
  readonly say: (line: string) => void;
};

const MOST_SUCCESSES = 20;
/** A model's reach contains a page's, and a person's is small: both are covered by fewer episodes. */
const SHARE: Readonly<Record<Rung, number>> = { A0: 0.1, A1: 1, A5: 0.1 };

const secondsSince = (startedMs: number) => (performance.now() - startedMs) / 1_000;

const climb = async (rung: Rung, key: TestKey, { n: all, seed, say }: Options): Promise<Climbed> => {
  const n = Math.ceil(all * SHARE[rung]);
  const startedMs = performance.now();
  const { rules, summary } = timed(RULES);
  const successes: Success[] = [];
  let [records, refusals, rarely, saidAt] = [0, 0, 0, 0];
  for (let index = 0; index < n && successes.length < MOST_SUCCESSES; index += 1) {
    const episode = episodeOf(seed + index, rung);
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
      successes.push({ ...first, rung, seed: episode.seed, scenario: episode.scenario.name, trace });
    }
    const seconds = secondsSince(startedMs);
    if (seconds - saidAt > 5) {
      saidAt = seconds;
      say(`${rung}: ${index + 1} of ${n} episodes, ${successes.length} successes, ${Math.round((index + 1) / seconds)} episodes/s`);
    }
  }

  return { rung, n, rarely, records, refusals, successes, latency: summary(), seconds: secondsSince(startedMs) };
};

export const campaign = async (options: Options): Promise<Campaign> => {
  const { n, seed, mostAblated, say } = options;
  const startedMs = performance.now();
  const key = await newKey("adversary");
  const rungs: Climbed[] = [];
  for (const rung of RUNGS) rungs.push(await climb(rung, key, options));
  const ablation = Object.keys(GUARDS).map((guard, index, all) => {
    const ablated = ablate(guard, seed + n, mostAblated);
    const noticed = ablated.episodes === null ? "NOT NOTICED" : `noticed in episode ${ablated.episodes}`;
    say(`guard ${index + 1} of ${all.length}: ${guard}: ${noticed}`);

    return ablated;
  });

  return { seed, rungs, benign: benignRuns(), ablation, seconds: secondsSince(startedMs) };
};
