import type { NodeOf } from "@/lib/graph/document";
import type { Work } from "@/server/executors/agent-task";
import { createCandidate, type Candidate } from "@/server/executors/candidate";
import { createChance } from "@/server/executors/chance";
import { isSpent } from "@/server/executors/part";
import { runPooled } from "@/server/executors/pool";
import { rankFitness, selectParents } from "@/server/executors/selection";
import { createFailure, executeKind, buildOutcome, type Failure } from "@/server/executors/written";

type Evolution = NodeOf<"evolution">;
type Population = readonly Candidate[];

const byFitness = (population: Population): Population =>
  rankFitness(population.map(({ fitness }) => fitness)).flatMap((index) => population[index] ?? []);

/** Resumption is deterministic: randomness depends on seed, generation and place. */
const parentsFor = (population: Population, generation: number, index: number, node: Evolution, seed: string): Population => {
  if (population.length === 0) return [];
  const fitness = population.map((one) => one.fitness);

  return selectParents(fitness, node.config, createChance(seed, `${generation}.${index}`)).flatMap((parent) => population[parent] ?? []);
};

const nextGeneration = async (
  before: Population,
  generation: number,
  node: Evolution,
  work: Work,
): Promise<{ readonly elite: Population; readonly born: Population } | Failure> => {
  const { config } = node;
  const elite = byFitness(before).slice(0, config.elite_count);
  const fatal = (end: Candidate | Failure | undefined): end is Failure =>
    end?.type === "failure" && (config.error_strategy === "fail_fast" || isSpent(end) || end.code === "agent_missing");
  const places = Array.from({ length: config.population_size - elite.length }, (_, place) => elite.length + place);
  const bear = (index: number) =>
    createCandidate(generation, index, parentsFor(before, generation, index, node, work.input.seed), node, work);
  const ends = await runPooled(places, config.max_concurrency, bear, fatal);

  return ends.find(fatal) ?? { elite, born: ends.filter((end) => end?.type === "candidate") };
};

/** Runs an evolutionary search; each candidate and score is its own task. */
export const runEvolution = executeKind("evolution", async (node, input, gateways, signal) => {
  const { config } = node;
  const work = { input, gateways, signal };
  const history: number[] = [];
  let population: Population = [];
  let best: Candidate | undefined;
  for (let generation = 0; generation < config.max_generations; generation++) {
    const next = await nextGeneration(population, generation, node, work);
    if ("type" in next) return next;
    if (next.born.length === 0) break;
    population = [...next.elite, ...next.born];
    const [fittest] = byFitness(population);
    history.push(fittest?.fitness ?? 0);
    if (fittest && (!best || fittest.fitness > best.fitness)) best = fittest;
    if (!best || best.fitness >= config.fitness_threshold || generation - best.generation >= config.stagnation_generations) break;
  }
  if (!best) return createFailure("evolution_no_candidates", true, "No candidate could be made.");

  return buildOutcome(input, config.write_to, best.value, [
    {
      path: config.report_to,
      value: { fitness: best.fitness, generation: best.generation, seed: input.seed, fitness_history: history },
    },
  ]);
});
