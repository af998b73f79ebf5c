import { z } from "zod";
import { expressionSchema } from "@/lib/graph/expression";
import { field, withBounds } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import {
  concurrencyField,
  criteriaField,
  errorStrategyField,
  instructionsField,
  resultField,
  temperatureFields,
} from "@/lib/graph/kinds/fields";
import { answerAtPath, listPath, noChoice, nothing, useAgent, useJudge } from "@/lib/graph/kinds/parts";

const SEARCH = "Search";
const LIMITS = "Limits and report";

/** Searches generations of candidates; the best seed the next. */
const evolutionConfigSchema = withBounds(
  z.strictObject({
    candidate_id: field(idSchema, { title: "Candidate agent", widget: "own_agent" }),
    instructions: instructionsField(),
    fitness: field(
      z.union([
        field(z.strictObject({ agent_id: field(idSchema, { title: "Judge", widget: "agent" }), criteria: criteriaField() }), {
          title: "Scored by a judge agent",
        }),
        field(
          z.strictObject({
            expression: field(expressionSchema, {
              title: "Expression",
              description: "CEL over item, the candidate. Must return a number of at least 0; anything else scores 0.",
              widget: "expression",
              rows: 2,
              initial: () => "item.score",
            }),
          }),
          { title: "Scored by an expression" },
        ),
      ]),
      { title: "Fitness" },
    ),
    write_to: resultField("Write winner to"),
    population_size: field(z.number().int().min(2).max(100).default(5), { title: "Candidates per generation", section: SEARCH }),
    max_generations: field(z.number().int().min(1).max(100).default(10), { title: "Max generations", section: SEARCH }),
    // An expression may return any number, so there is no upper bound.
    fitness_threshold: field(z.number().min(0).default(0.9), {
      title: "Fitness threshold",
      description: "A candidate with this fitness ends the search. Judges score from 0 to 1.",
      section: SEARCH,
    }),
    stagnation_generations: field(z.number().int().min(1).max(100).default(3), {
      title: "Stop after generations without progress",
      section: SEARCH,
    }),
    selection: field(z.enum(["rank", "tournament", "roulette"]).default("rank"), {
      title: "Parent selection",
      choices: {
        rank: "Rank: better candidates are likelier",
        tournament: "Tournament: the best of a few",
        roulette: "Roulette: in proportion to fitness",
      },
      section: SEARCH,
    }),
    tournament_size: field(z.number().int().min(2).max(100).default(3), {
      title: "Candidates per tournament",
      section: SEARCH,
      when: ({ selection }) => selection === "tournament",
      atMost: ({ population_size: size }) => Number(size),
    }),
    elite_count: field(z.number().int().min(0).max(99).default(1), {
      title: "Best candidates kept unchanged",
      section: SEARCH,
      atMost: ({ population_size: size }) => Number(size) - 1,
    }),
    ...temperatureFields(0.3, SEARCH),
    max_concurrency: concurrencyField(LIMITS),
    error_strategy: errorStrategyField("When a candidate fails", LIMITS),
    report_to: field(pathSchema.optional(), {
      title: "Write search report to",
      description: "Fitness, generation, seed and history. If empty, no report is written.",
      widget: "path",
      section: LIMITS,
    }),
  }),
);

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
