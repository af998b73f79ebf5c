/** Model-based exploration with fast-check. */
import * as fc from "fast-check";
import { differencesOf, MOVES, step, violationsOf, type Episode, type Step } from "./episode";
import { judgeEverything } from "./oracle/everything";
import { SCENARIOS } from "./scenarios/all";
import { look, newWorld, RULES, type Rules, type World } from "./world";

type Model = Readonly<Record<string, never>>;

class Act implements fc.Command<Model, World> {
  private readonly one: Step;

  constructor(one: Step) {
    this.one = one;
  }

  check(): boolean {
    return true;
  }

  run(_model: Model, world: World): void {
    step(world, this.one);
    const [found] = judgeEverything(world);
    if (found) throw new Error(`${found.property}: ${found.what}`);
  }

  toString(): string {
    return this.one.name;
  }
}

export type Found = {
  readonly trace: readonly string[];
  readonly scenario: string;
  readonly what: string;
};

export type Search = {
  readonly rules?: Rules | undefined;
  readonly seed: number;
  readonly runs: number;
  readonly mostMoves: number;
  readonly moves?: readonly string[];
  readonly scenarios?: readonly string[];
};

/** Returns the smallest success, or null. */
export const explore = ({ rules = RULES, seed, runs, mostMoves, moves, scenarios }: Search): Found | null => {
  const graphs = SCENARIOS.filter(({ name }) => scenarios === undefined || scenarios.includes(name));
  const names = [...(moves ?? Object.keys(MOVES)), "the executor works", "the executor works", "a person decides"];
  const acts = fc.record({ name: fc.constantFrom(...names), seed: fc.nat(2 ** 31 - 1) }).map((one) => new Act(one));
  const commands = fc.commands<Model, World>([acts], { maxCommands: mostMoves, size: "max" });
  const graph = fc.constantFrom(...graphs);
  const property = fc.property(graph, commands, (scenario, sequence) => {
    const setup = () => {
      const real = newWorld(scenario, rules);
      look(real);

      return { model: {}, real };
    };
    fc.modelRun(setup, sequence);
  });
  const details = fc.check(property, { seed, numRuns: runs });
  const [scenario, sequence] = details.counterexample ?? [];
  if (!scenario || !sequence) return null;

  return { scenario: scenario.name, trace: [...sequence].map((act) => act.toString()), what: String(details.errorInstance) };
};

export const smallest = (episode: Episode, property: string, rules: Rules = RULES): readonly Step[] => {
  const breaks = (steps: readonly Step[]): boolean => {
    const cut = { ...episode, steps };

    return [...violationsOf(cut, rules), ...differencesOf(cut, rules)].some((found) => found.property === property);
  };
  const some = fc.subarray([...episode.steps]);
  const details = fc.check(
    fc.property(some, (steps) => !breaks(steps)),
    { examples: [[[...episode.steps]]], numRuns: 1 },
  );

  return details.counterexample?.[0] ?? episode.steps;
};
