/** Episode: a replayable list of names and seeds. */
import { toCanonicalJson, type Json } from "@/lib/json";
import { judgeEverything } from "./oracle/everything";
import { randomOf } from "./random";
import { SCENARIOS } from "./scenarios/all";
import type { Scenario } from "./scenarios/building-blocks";
import { AROUND } from "./strategies/around";
import { decideHonestly, work } from "./strategies/honest";
import type { Aim } from "./guards/targets";
import type { Strategies } from "./strategies/strategy";
import { repertoireOf, STRATEGIES, type Rung } from "./strategies/table";
import { look, newWorld, PLAIN, type Rules, RULES, type Variant, type Violation, type World } from "./world";

export type Step = { readonly name: string; readonly seed: number };
export type Episode = {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly early: boolean;
  readonly steps: readonly Step[];
};

export const MOVES: Strategies = { ...STRATEGIES, ...AROUND, "the executor works": work, "a person decides": decideHonestly };
const AROUND_NAMES = Object.keys(AROUND);
const MOST_QUIET = 14;
const MOST_LOUD = 10;

export const episodeOf = (seed: number, rung: Rung = "A1", aim?: Aim): Episode => {
  const random = randomOf(seed);
  const scenario = random.some(SCENARIOS.filter(({ name }) => aim?.scenarios.includes(name) ?? true)) ?? SCENARIOS[0];
  const { general, fitting } = repertoireOf(rung, scenario);
  const any = Array.from({ length: 1 + random.int(4) }, () => {
    const own = random.chance(0.5) ? random.some(fitting) : undefined;

    return own ?? random.some(general) ?? "";
  });
  const mix = aim?.moves ?? any;
  // Attacks every place in a graph.
  const quiet = random.int((aim?.quiet ?? MOST_QUIET) + 1);
  const loud = aim ? 3 * MOST_LOUD : MOST_LOUD;
  const steps = Array.from({ length: quiet + 3 + random.int(loud) }, (_step, index): Step => {
    const drawn = random.next() * (index < quiet ? 0.55 : 1);
    const luck = aim?.alone && index >= quiet ? 0.7 : drawn;
    const stepSeed = random.int(2 ** 31);
    if (luck < 0.25) return { name: "the executor works", seed: stepSeed };
    if (luck < 0.4) return { name: "a person decides", seed: stepSeed };
    if (luck < 0.55) return { name: "the executor works", seed: stepSeed };

    return { name: random.some(luck < 0.65 && !aim ? AROUND_NAMES : mix) ?? "the executor works", seed: stepSeed };
  });

  return { seed, scenario, early: aim?.early ?? random.chance(0.02), steps };
};

export const step = (world: World, { name, seed }: Step): void => {
  MOVES[name]?.(world, randomOf(seed));
  look(world);
};

export const play = (episode: Episode, rules: Rules = RULES, variant: Variant = PLAIN): World => {
  const world = newWorld(episode.scenario, rules, variant, episode.early);
  look(world);
  for (const one of episode.steps) step(world, one);

  return world;
};

/** Runs that differ only in secrets must look the same from outside. */
const leaksOf = (episode: Episode, rules: Rules): Violation[] => {
  const other: Variant = { ...PLAIN, canaries: { salary: 7, ssn: "x" } };
  const [one, two] = [play(episode, rules), play(episode, rules, other)].map(({ shown }) => toCanonicalJson([...shown] as Json));

  return one === two ? [] : [{ property: "C1", what: "two runs that differ only in unread keys showed different bytes" }];
};

const SWAYED: Readonly<Record<string, string>> = {
  team: "free",
  again: "team",
  free: "team",
  stop: "team",
  hello: "enterprise",
  enterprise: "hello",
};

const waysOf = (world: World): string[] => {
  const ways: string[] = [];
  for (const { record } of world.run.records()) {
    if (record.control.some((event) => event.type === "gate_resolved" && event.outcome !== "void")) return ways;
    for (const event of record.control) if (event.type === "node_entered") ways.push(`${event.edge} ${event.node}`);
  }

  return ways;
};

/** Different untrusted texts must give the same route. */
const swaysOf = (episode: Episode, rules: Rules): Violation[] => {
  if (!episode.scenario.published.graph.strict_taint) return [];
  const [one, two] = [play(episode, rules), play(episode, rules, { ...PLAIN, words: (word) => SWAYED[word] ?? word })].map(waysOf);
  const differs = one?.some((way, index) => two?.[index] !== undefined && two[index] !== way);

  return differs ? [{ property: "F2", what: "under strict taint, other untrusted values led another way" }] : [];
};

/** Compares with a second, altered run. */
export const differencesOf = (episode: Episode, rules: Rules = RULES): Violation[] => [
  ...leaksOf(episode, rules),
  ...swaysOf(episode, rules),
];

export const violationsOf = (episode: Episode, rules: Rules = RULES): Violation[] => judgeEverything(play(episode, rules));
