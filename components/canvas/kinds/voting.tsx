"use client";

import { Plus, Trash2, Vote } from "lucide-react";
import { AgentSelect, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { ConcurrencyField } from "@/components/canvas/fields/concurrency-field";
import { Disclosure } from "@/components/canvas/fields/disclosure";
import { Instructions } from "@/components/canvas/fields/instructions";
import { formatLoose, parseLoose } from "@/components/canvas/fields/loose-json";
import { NameList } from "@/components/canvas/fields/name-list";
import { NumberField, OptionalNumberField } from "@/components/canvas/fields/number-field";
import { OptionalPathField, WriteTo } from "@/components/canvas/fields/path-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import type { FormProps, KindUi } from "./kind-ui";

const STRATEGIES = [
  { value: "majority", label: "Most votes win" },
  { value: "weighted", label: "Most weight wins" },
  { value: "judge", label: "A judge chooses among the votes" },
] as const;

const TIES = [
  { value: "fail", label: "Fail the node (vote_tied)" },
  { value: "value", label: "Use a default value" },
] as const;

const MAX_VOTERS = 50;
const MAX_OPTIONS = 100;

type Voters = FormProps<"voting">["node"]["config"]["voters"];

type VotersProps = {
  readonly voters: Voters;
  readonly isWeighted: boolean;
  readonly catalog: ValidationContext;
  readonly onChange: (voters: Voters, field?: string) => void;
};

const VoterList = ({ voters, isWeighted, catalog, onChange }: VotersProps) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="mb-2 text-sm font-medium">Voters</legend>
    {voters.map((voter, index) => (
      // An agent may vote twice.
      <div key={index} className="flex flex-col gap-2 border-l-2 pl-2">
        <div className="flex items-end gap-1">
          <div className="min-w-0 flex-1">
            <AgentSelect
              label={`Voter ${index + 1}`}
              catalog={catalog}
              value={voter.agent_id}
              onChange={(id) => onChange(voters.with(index, { ...voter, agent_id: id }))}
            />
          </div>
          <Button
            size="iconMd"
            variant="ghost"
            aria-label={`Remove voter ${index + 1}`}
            disabledReason={voters.length === 1 ? "A vote needs at least one voter" : null}
            onClick={() => onChange(voters.toSpliced(index, 1))}
          >
            <Trash2 aria-hidden />
          </Button>
        </div>
        {isWeighted ? (
          <NumberField
            label={`Weight of voter ${index + 1}`}
            integer={false}
            value={voter.weight}
            min={0.001}
            max={1_000}
            onCommit={(weight) => onChange(voters.with(index, { ...voter, weight }), `weight.${index}`)}
          />
        ) : null}
      </div>
    ))}
    <Button
      size="sm"
      className="self-start"
      disabledReason={voters.length >= MAX_VOTERS ? "At most 50 voters" : null}
      onClick={() => onChange([...voters, { agent_id: getFirstAgent(catalog), weight: 1 }])}
    >
      <Plus aria-hidden /> Add a voter
    </Button>
  </fieldset>
);

const Form = ({ node, graph, catalog, change }: FormProps<"voting">) => {
  const { config } = node;
  const options = config.options?.map(formatLoose) ?? [];
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <VoterList
        voters={config.voters}
        isWeighted={config.strategy === "weighted"}
        catalog={catalog}
        onChange={(voters, field) => set({ voters }, field)}
      />
      <Instructions label="Question" value={config.instructions} onCommit={(instructions) => set({ instructions }, "instructions")} />
      <NameList
        label="Allowed votes"
        hint="Any other vote is an abstention. If empty, every value is allowed."
        placeholder="Add a vote"
        names={options}
        suggestions={[]}
        check={() => (options.length >= MAX_OPTIONS ? "At most 100." : null)}
        onChange={(names) => set({ options: names.length === 0 ? undefined : names.map(parseLoose) })}
      />
      <Field label="Decided by">
        <Select
          items={STRATEGIES}
          value={config.strategy}
          onValueChange={(strategy) =>
            set({ strategy, judge_id: strategy === "judge" ? (config.judge_id ?? getFirstAgent(catalog)) : undefined })
          }
        />
      </Field>
      {config.judge_id === undefined ? null : (
        <AgentSelect label="Judge" catalog={catalog} value={config.judge_id} onChange={(id) => set({ judge_id: id })} />
      )}
      <WriteTo
        label="Write winning vote to"
        graph={graph}
        value={config.write_to}
        onCommit={(path) => set({ write_to: path }, "write_to")}
      />
      <Disclosure title="Quorum, ties and limits">
        <OptionalNumberField
          label="Quorum"
          hint="If empty, more than half of the voters."
          value={config.quorum}
          min={1}
          max={MAX_VOTERS}
          onCommit={(quorum) => set({ quorum }, "quorum")}
        />
        <Field label="On a tie">
          <Select
            items={TIES}
            value={config.on_tie}
            onValueChange={(onTie) =>
              set({ on_tie: onTie, tie_value: onTie === "value" ? (config.tie_value ?? config.options?.[0] ?? "") : undefined })
            }
          />
        </Field>
        {config.on_tie === "value" ? (
          <TextField
            label="Default value"
            hint="JSON or plain text."
            mono
            value={config.tie_value === undefined ? "" : formatLoose(config.tie_value)}
            onCommit={(text) => set({ tie_value: parseLoose(text) }, "tie_value")}
          />
        ) : null}
        <ConcurrencyField value={config.max_concurrency} onCommit={(count) => set({ max_concurrency: count }, "max_concurrency")} />
        <OptionalPathField
          label="Write all votes to"
          hint="If empty, not written."
          graph={graph}
          value={config.votes_to}
          onCommit={(path) => set({ votes_to: path }, "votes_to")}
        />
      </Disclosure>
    </>
  );
};

export const votingUi: KindUi<"voting"> = {
  icon: Vote,
  group: "combine",
  summary: ({ config }) => `${config.voters.length} ${config.voters.length === 1 ? "voter" : "voters"}, ${config.strategy}`,
  Form,
  initial: (_graph, catalog) => {
    const agents = catalog.agents.slice(0, 3).map((agent) => agent.id);
    const voters = agents.length === 0 ? [getFirstAgent(catalog)] : agents;

    return {
      config: {
        voters: voters.map((id) => ({ agent_id: id, weight: 1 })),
        instructions: "",
        strategy: "majority",
        on_tie: "fail",
        max_concurrency: 5,
      },
    };
  },
};
