import { z } from "zod";
import { expressionSchema } from "@/lib/graph/expression";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { answerAtPath, listPath, noChoice, nothing, useAgent, useJudge } from "@/lib/graph/kinds/parts";

/** Searches generations of candidates; the best seed the next. */
const evolutionConfigSchema = z
  .strictObject({
    candidate_id: idSchema,
    instructions: z.string().max(20_000).default(""),
    /** Scores a candidate: a CEL expression over `item`, or a judging agent. Numbers from 0 up; anything else scores 0. */
    fitness: z.union([
      z.strictObject({ expression: expressionSchema }),
      z.strictObject({ agent_id: idSchema, criteria: z.string().max(4_000).default("") }),
    ]),
    population_size: z.number().int().min(2).max(100).default(5),
    max_generations: z.number().int().min(1).max(100).default(10),
    selection: z.enum(["rank", "tournament", "roulette"]).default("rank"),
    tournament_size: z.number().int().min(2).max(100).default(3),
    /** The best of a generation that live on unchanged. */
    elite_count: z.number().int().min(0).max(99).default(1),
    fitness_threshold: z.number().min(0).default(0.9),
    /** Generations without improvement after which the search ends. */
    stagnation_generations: z.number().int().min(1).max(100).default(3),
    initial_temperature: z.number().min(0).max(2).default(1),
    final_temperature: z.number().min(0).max(2).default(0.3),
    max_concurrency: z.number().int().min(1).max(50).default(5),
    error_strategy: z.enum(["fail_fast", "best_effort"]).default("best_effort"),
    /** Path of the winner. Absent: the only write key. */
    write_to: pathSchema.optional(),
    /** Path of `{fitness, generation, seed, fitness_history}`. */
    report_to: pathSchema.optional(),
  })
  .refine((config) => config.elite_count < config.population_size, "elite_count must be less than population_size")
  .refine(
    (config) => config.selection !== "tournament" || config.tournament_size <= config.population_size,
    "a tournament cannot be larger than the population",
  )
  .refine((config) => config.final_temperature <= config.initial_temperature, "the final temperature must not exceed the initial one");

export const evolutionKind = defineKind({
  title: "Evolution",
  about: "Searches over generations of candidates",
  config: evolutionConfigSchema,
  work: "proposal",
  agents: ({ candidate_id: id, fitness, max_generations: generations, population_size: size }) => [
    ...useAgent(id, "acting", size * generations),
    ...useJudge("agent_id" in fitness ? fitness.agent_id : undefined, "own", size * generations),
  ],
  tasks: ({ candidate_id: id, fitness, max_generations: generations, population_size: size }) => {
    const bounds = [generations, size];
    const judge = "agent_id" in fitness ? fitness.agent_id : undefined;

    return [
      { name: "candidate", bounds, agentAt: () => id, judges: false, alone: false },
      { name: "score", bounds, agentAt: () => judge, judges: true, alone: false },
    ];
  },
  links: [],
  reads: ({ fitness }) => ({ paths: [], scoring: "expression" in fitness ? [{ what: "scores", text: fitness.expression }] : [] }),
  answer: answerAtPath,
  reports: ({ report_to: path }) => listPath(path),
  rights: { reads: "grants", writes: "grants" },
  isolates: () => true,
  proposes: "merges",
  editable: true,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ max_generations: rounds, population_size: items, max_concurrency: together, ...config }) => ({
    most: { rounds, items, together },
    is: {
      rule: {
        fitness: config.fitness,
        fitness_threshold: config.fitness_threshold,
        selection: config.selection,
        elite_count: config.elite_count,
      },
    },
  }),
});
