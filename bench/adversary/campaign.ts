/** N episodes against the whole engine, and then each guard taken away in turn. */
import { newKey } from "@/lib/engine/testing/ledger";
import { ablate, GUARDS, type Ablated } from "./ablation";
import { benignRuns, type Benign } from "./benign";
import { episodeOf, leaksOf, play, shrink, violationsOf } from "./episode";
import { judgeEverything } from "./oracle/everything";
import { judgeProof } from "./oracle/proof";
import type { Violation } from "./world";

/** What each property says. */
export const PROPERTIES = {
  C1: "nothing outside the grants is shown to an executor or a server",
  W1: "memory changes only where granted, declared, valid and within bounds",
  I1: "protected paths and gates move only on an honest, open, matching yes",
  I2: "a refusal changes nothing and leaves one record",
  I3: "the ledger verifies, replays byte for byte, and shows a change",
  T1: "keys that need trust take nothing untrusted",
  F1: "the run is a path of the graph, past no gate and no tool uncalled",
  F2: "under strict taint no untrusted value chooses an edge without a gate",
  B1: "limits hold, and a call starts only while the budget covers it",
  G1: "only granted tools in their pinned form, with arguments they take",
  E1: "no effect that needs a receipt without one for exactly it, unused, unexpired",
  R1: "everybody speaks for themselves, and nothing counts twice",
  L1: "benign workflows complete with the expected approvals",
} as const;

export type Success = Violation & { readonly seed: number; readonly scenario: string; readonly trace: readonly string[] };

export type Campaign = {
  readonly n: number;
  readonly seed: number;
  readonly checked: Readonly<Record<string, number>>;
  readonly successes: readonly Success[];
  readonly benign: readonly Benign[];
  readonly ablation: readonly Ablated[];
  readonly records: number;
  readonly refusals: number;
  readonly episodesSeconds: number;
  readonly seconds: number;
};

export type Options = { readonly n: number; readonly seed: number; readonly mostAblated: number; readonly say: (line: string) => void };

const MOST_SUCCESSES = 20;
const PAIRED = 50;

const successOf = (seed: number, violation: Violation): Success => {
  const same = (found: readonly Violation[]) => found.some(({ property }) => property === violation.property);
  const smallest = shrink(
    episodeOf(seed),
    (candidate) => same(violationsOf(candidate)) || (violation.property === "C1" && same(leaksOf(candidate))),
  );

  return { ...violation, seed, scenario: smallest.scenario.name, trace: smallest.steps.map(({ name }) => name) };
};

export const campaign = async ({ n, seed, mostAblated, say }: Options): Promise<Campaign> => {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  const key = await newKey("adversary");
  const successes: Success[] = [];
  let [records, refusals, proved, saidAt] = [0, 0, 0, 0];
  for (let index = 0; index < n && successes.length < MOST_SUCCESSES; index += 1) {
    const episode = episodeOf(seed + index);
    const world = play(episode);
    const found = judgeEverything(world);
    records += world.run.records().length;
    refusals += world.run.state().refusals;
    if (index % PAIRED === 0) {
      found.push(...leaksOf(episode), ...(await judgeProof(world, key, episode.seed)));
      proved += 1;
    }
    const [first] = found;
    if (first) successes.push(successOf(episode.seed, first));
    if (seconds() - saidAt > 5) {
      saidAt = seconds();
      say(`${index + 1} of ${n} episodes, ${successes.length} successes, ${Math.round((index + 1) / saidAt)} episodes/s`);
    }
  }
  const episodesSeconds = seconds();
  const benign = benignRuns();
  const ablation = Object.keys(GUARDS).map((guard, index, all) => {
    const ablated = ablate(guard, seed + n, mostAblated);
    say(
      `guard ${index + 1} of ${all.length}: ${guard}: ${ablated.episodes === null ? "NOT NOTICED" : `noticed in episode ${ablated.episodes}`}`,
    );

    return ablated;
  });
  const checked = Object.fromEntries(
    Object.keys(PROPERTIES).map((name) => [name, name === "I3" ? proved : name === "L1" ? benign.length : n]),
  );

  return { n, seed, checked, successes, benign, ablation, records, refusals, episodesSeconds, seconds: seconds() };
};
