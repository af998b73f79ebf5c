"use client";

import { AgentDialog } from "@/components/agents/agent-dialog";
import { BlastRadiusSection } from "@/components/canvas/analysis/blast-radius";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { UNASSIGNED } from "@/lib/graph/wiring";
import { ChoiceOrNone } from "./choice-or-none";

type Props = {
  readonly label: string;
  readonly catalog: ValidationContext;
  readonly value: string;
  readonly onChange: (agent: string) => void;
  readonly hint?: string;
};

const itemsOf = ({ agents }: ValidationContext) => agents.map((agent) => ({ value: agent.id, label: agent.name }));

/** Agent of new nodes. */
export const getFirstAgent = ({ agents }: ValidationContext): string => agents[0]?.id ?? UNASSIGNED;

export const AgentSelect = ({ label, hint, catalog, value, onChange }: Props) => (
  <ChoiceOrNone
    label={label}
    hint={hint}
    items={itemsOf(catalog)}
    value={value}
    onChange={(agent) => {
      if (agent !== undefined) onChange(agent);
    }}
  />
);

type OptionalProps = Omit<Props, "value" | "onChange"> & {
  readonly value: string | undefined;
  readonly none: string;
  readonly onChange: (agent: string | undefined) => void;
};

export const OptionalAgentSelect = ({ catalog, ...field }: OptionalProps) => <ChoiceOrNone {...field} items={itemsOf(catalog)} />;

export const AgentField = ({
  label,
  catalog,
  value,
  suggestedName,
  onChange,
}: Omit<Props, "hint"> & { readonly suggestedName: string }) => {
  const agent = catalog.agents.find((item) => item.id === value);
  const hint = agent ? { hint: `Tools: ${agent.tools.length}. Max model calls: ${agent.max_steps}` } : {};

  return (
    <>
      <AgentSelect label={label} catalog={catalog} value={value} onChange={onChange} {...hint} />
      <div className="flex gap-2">
        {agent ? (
          <AgentDialog agentId={agent.id} tools={catalog.tools} label="Edit the agent" onSaved={() => undefined}>
            <BlastRadiusSection agent={agent.id} />
          </AgentDialog>
        ) : null}
        <AgentDialog agentId={null} suggestedName={suggestedName} tools={catalog.tools} label="New agent" onSaved={onChange} />
      </div>
    </>
  );
};
