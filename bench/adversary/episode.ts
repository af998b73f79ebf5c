/** One episode: a graph, a few strategies, and moves of everybody in some order. It is a list of names and seeds, so it can be replayed and cut. */
import { canonicalJson, type Json } from "@/lib/json";
import { judgeEverything } from "./oracle/everything";
import { randomOf } from "./random";
import { SCENARIOS, type Scenario } from "./scenarios";
import { AROUND, decideHonestly, work } from "./strategies/honest";
import type { Strategies } from "./strategies/strategy";
import { STRATEGIES } from "./strategies/table";
import { look, newWorld, type Rules, RULES, type Violation, type World } from "./world";

export type Step = { readonly name: string; readonly seed: number };
export type Episode = { readonly seed: number; readonly scenario: Scenario; readonly steps: readonly Step[] };

const MOVES: Strategies = { ...STRATEGIES, ...AROUND, "the executor works": work, "a person decides": decideHonestly };
const STRATEGY_NAMES = Object.keys(STRATEGIES);
const AROUND_NAMES = Object.keys(AROUND);
const MOST_QUIET = 11;
const MOST_LOUD = 10;

/** The adversary mixes up to four strategies; in between, honest people and executors let the run get somewhere. */
export const episodeOf = (seed: number): Episode => {
  const random = randomOf(seed);
  const scenario = random.pick(SCENARIOS);
  const mix = Array.from({ length: 1 + random.int(4) }, () => random.some(STRATEGY_NAMES) ?? "");
  // So that every place in a graph is attacked, and not only its start.
  const quiet = random.int(MOST_QUIET);
  const steps = Array.from({ length: quiet + 3 + random.int(MOST_LOUD) }, (_step, index): Step => {
    const luck = random.next() * (index < quiet ? 0.55 : 1);
    const stepSeed = random.int(2 ** 31);
    if (luck < 0.25) return { name: "the executor works", seed: stepSeed };
    if (luck < 0.4) return { name: "a person decides", seed: stepSeed };
    if (luck < 0.55) return { name: "the executor works", seed: stepSeed };

    return { name: random.some(luck < 0.65 ? AROUND_NAMES : mix) ?? "", seed: stepSeed };
  });

  return { seed, scenario, steps };
};

export const play = (episode: Episode, rules: Rules = RULES, canaries?: Parameters<typeof newWorld>[2]): World => {
  const world = newWorld(episode.scenario, rules, canaries);
  look(world);
  for (const { name, seed } of episode.steps) {
    MOVES[name]?.(world, randomOf(seed));
    look(world);
  }

  return world;
};

/** Everything that the oracles find in an episode. */
export const violationsOf = (episode: Episode, rules: Rules = RULES): Violation[] => judgeEverything(play(episode, rules));

/** Two runs that differ only in what nobody may read look the same from outside. */
export const leaksOf = (episode: Episode, rules: Rules = RULES): Violation[] => {
  const [one, other] = [play(episode, rules), play(episode, rules, { salary: 7, ssn: "x" })].map(({ shown }) =>
    canonicalJson([...shown] as Json),
  );

  return one === other ? [] : [{ property: "C1", what: "two runs that differ only in unread keys showed different bytes" }];
};

/** Drops steps for as long as the episode still succeeds. */
export const shrink = (episode: Episode, succeeds: (candidate: Episode) => boolean): Episode => {
  let smallest = episode;
  for (let index = episode.steps.length - 1; index >= 0; index -= 1) {
    const candidate = { ...smallest, steps: smallest.steps.filter((_step, at) => at !== index) };
    if (succeeds(candidate)) smallest = candidate;
  }

  return smallest;
};
