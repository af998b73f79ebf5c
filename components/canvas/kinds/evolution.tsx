"use client";

import { Dna } from "lucide-react";
import { AgentField, AgentSelect, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { ConcurrencyField } from "@/components/canvas/fields/concurrency-field";
import { Disclosure } from "@/components/canvas/fields/disclosure";
import { ERROR_STRATEGIES } from "@/components/canvas/fields/error-strategies";
import { findExpressionFault } from "@/components/canvas/fields/expression-check";
import { Criteria, Instructions } from "@/components/canvas/fields/instructions";
import { NumberField } from "@/components/canvas/fields/number-field";
import { OptionalPathField, WriteTo } from "@/components/canvas/fields/path-field";
import { TemperatureFields } from "@/components/canvas/fields/temperature-fields";
import { TextField } from "@/components/canvas/fields/text-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { NodeOf } from "@/lib/graph/document";
import type { FormProps, KindUi } from "./kind-ui";

type Config = NodeOf<"evolution">["config"];
type SectionProps = { readonly config: Config; readonly set: (changed: Partial<Config>, field?: string) => void };

const FITNESSES = [
  { value: "expression", label: "Scored by an expression" },
  { value: "agent", label: "Scored by a judge agent" },
] as const;

const SELECTIONS = [
  { value: "rank", label: "Rank: better candidates are likelier" },
  { value: "tournament", label: "Tournament: the best of a few" },
  { value: "roulette", label: "Roulette: in proportion to fitness" },
] as const;

const MAX = 100;

/** Clamps values to a smaller population. */
const resized = (config: Config, size: number): Partial<Config> => ({
  population_size: size,
  elite_count: Math.min(config.elite_count, size - 1),
  tournament_size: Math.min(config.tournament_size, size),
});

const SearchFields = ({ config, set }: SectionProps) => (
  <Disclosure title="Search">
    <NumberField
      label="Candidates per generation"
      value={config.population_size}
      min={2}
      max={MAX}
      onCommit={(size) => set(resized(config, size), "population_size")}
    />
    <NumberField
      label="Max generations"
      value={config.max_generations}
      min={1}
      max={MAX}
      onCommit={(count) => set({ max_generations: count }, "max_generations")}
    />
    <NumberField
      label="Fitness threshold"
      integer={false}
      value={config.fitness_threshold}
      min={0}
      max={1_000_000}
      onCommit={(threshold) => set({ fitness_threshold: threshold }, "fitness_threshold")}
    />
    <NumberField
      label="Stop after generations without progress"
      value={config.stagnation_generations}
      min={1}
      max={MAX}
      onCommit={(count) => set({ stagnation_generations: count }, "stagnation_generations")}
    />
    <Field label="Parent selection">
      <Select items={SELECTIONS} value={config.selection} onValueChange={(selection) => set({ selection })} />
    </Field>
    {config.selection === "tournament" ? (
      <NumberField
        label="Candidates per tournament"
        value={config.tournament_size}
        min={2}
        max={config.population_size}
        onCommit={(size) => set({ tournament_size: size }, "tournament_size")}
      />
    ) : null}
    <NumberField
      label="Best candidates kept unchanged"
      value={config.elite_count}
      min={0}
      max={config.population_size - 1}
      onCommit={(count) => set({ elite_count: count }, "elite_count")}
    />
    <TemperatureFields value={config} onChange={set} />
  </Disclosure>
);

const Form = ({ node, graph, catalog, change }: FormProps<"evolution">) => {
  const { config } = node;
  const { fitness } = config;
  const set = (changed: Partial<Config>, field?: string) => change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <AgentField label="Candidate agent" catalog={catalog} value={config.candidate_id} onChange={(id) => set({ candidate_id: id })} />
      <Instructions value={config.instructions} onCommit={(instructions) => set({ instructions }, "instructions")} />
      <Field label="Fitness">
        <Select
          items={FITNESSES}
          value={"expression" in fitness ? "expression" : "agent"}
          onValueChange={(type) =>
            set({ fitness: type === "expression" ? { expression: "item.score" } : { agent_id: getFirstAgent(catalog), criteria: "" } })
          }
        />
      </Field>
      {"expression" in fitness ? (
        <TextField
          label="Expression"
          hint="CEL over item, the candidate. Must return a number of at least 0; anything else scores 0."
          mono
          rows={2}
          value={fitness.expression}
          check={findExpressionFault}
          onCommit={(expression) => set({ fitness: { expression } }, "fitness")}
        />
      ) : (
        <>
          <AgentSelect
            label="Judge"
            catalog={catalog}
            value={fitness.agent_id}
            onChange={(id) => set({ fitness: { ...fitness, agent_id: id } })}
          />
          <Criteria value={fitness.criteria} onCommit={(criteria) => set({ fitness: { ...fitness, criteria } }, "criteria")} />
        </>
      )}
      <WriteTo label="Write winner to" graph={graph} value={config.write_to} onCommit={(path) => set({ write_to: path }, "write_to")} />
      <SearchFields config={config} set={set} />
      <Disclosure title="Limits and report">
        <ConcurrencyField value={config.max_concurrency} onCommit={(count) => set({ max_concurrency: count }, "max_concurrency")} />
        <Field label="When a candidate fails">
          <Select items={ERROR_STRATEGIES} value={config.error_strategy} onValueChange={(strategy) => set({ error_strategy: strategy })} />
        </Field>
        <OptionalPathField
          label="Write search report to"
          hint="Fitness, generation, seed and history. If empty, no report is written."
          graph={graph}
          value={config.report_to}
          onCommit={(path) => set({ report_to: path }, "report_to")}
        />
      </Disclosure>
    </>
  );
};

export const evolutionUi: KindUi<"evolution"> = {
  icon: Dna,
  group: "combine",
  summary: ({ config }) => `${config.max_generations} generations of ${config.population_size}`,
  Form,
  initial: (_graph, catalog) => ({
    config: {
      candidate_id: getFirstAgent(catalog),
      instructions: "",
      fitness: { agent_id: getFirstAgent(catalog), criteria: "" },
      population_size: 5,
      max_generations: 10,
      selection: "rank",
      tournament_size: 3,
      elite_count: 1,
      fitness_threshold: 0.9,
      stagnation_generations: 3,
      initial_temperature: 1,
      final_temperature: 0.3,
      max_concurrency: 5,
      error_strategy: "best_effort",
    },
  }),
};
