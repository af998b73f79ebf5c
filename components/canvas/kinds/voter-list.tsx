"use client";

import { Plus, Trash2 } from "lucide-react";
import { AgentSelect, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { NumberField } from "@/components/canvas/fields/number-field";
import { Button } from "@/components/ui/button";
import type { NodeOf } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";

const MAX_VOTERS = 50;

type Voters = NodeOf<"voting">["config"]["voters"];

type VotersProps = {
  readonly voters: Voters;
  readonly isWeighted: boolean;
  readonly catalog: ValidationContext;
  readonly onChange: (voters: Voters, field?: string) => void;
};

export const VoterList = ({ voters, isWeighted, catalog, onChange }: VotersProps) => (
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
