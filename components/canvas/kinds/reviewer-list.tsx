"use client";

import { AgentSelect, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { EntryList } from "@/components/canvas/fields/entry-list";
import { NumberField } from "@/components/canvas/fields/number-field";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Reviewer } from "@/lib/graph/kinds/review";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { deciderSchema } from "@/lib/roles";

const MAX_REVIEWERS = 10;
const ROLES = deciderSchema.options.map((role) => ({ value: role, label: role }));
const PERSON: Reviewer = { type: "person", role: "reviewer", count: 1 };

type ListProps = {
  readonly reviewers: Reviewer[];
  readonly catalog: ValidationContext;
  readonly onChange: (reviewers: Reviewer[], field?: string) => void;
};

/** Reviewers can't see each other's verdicts. */
export const ReviewerList = ({ reviewers, catalog, onChange }: ListProps) => {
  const whyNot = reviewers.length >= MAX_REVIEWERS ? "At most 10" : null;
  const used = new Set(reviewers.flatMap((one) => (one.type === "agent" ? [one.agent_id] : [])));
  const next = catalog.agents.find((agent) => !used.has(agent.id))?.id ?? getFirstAgent(catalog);

  return (
    <EntryList
      title="Reviewers"
      hint="Reviewers don't see each other's verdicts. Models must be from different families, and no reviewer may have written the value."
      noun="reviewer"
      empty="No reviewers yet. Add a person first."
      entries={reviewers}
      onRemove={(index) => onChange(reviewers.toSpliced(index, 1))}
      adds={[
        { label: "Add people", whyNot, onAdd: () => onChange([...reviewers, PERSON]) },
        { label: "Add an agent", whyNot, onAdd: () => onChange([...reviewers, { type: "agent", agent_id: next }]) },
      ]}
    >
      {(reviewer, index) =>
        reviewer.type === "agent" ? (
          <AgentSelect
            label={`Agent of reviewer ${index + 1}`}
            catalog={catalog}
            value={reviewer.agent_id}
            onChange={(id) => onChange(reviewers.with(index, { ...reviewer, agent_id: id }))}
          />
        ) : (
          <>
            <Field label={`Role of reviewer ${index + 1}`}>
              <Select
                items={ROLES}
                value={reviewer.role}
                onValueChange={(role) => onChange(reviewers.with(index, { ...reviewer, role }))}
              />
            </Field>
            <NumberField
              label={`Number of people for reviewer ${index + 1}`}
              value={reviewer.count}
              min={1}
              max={10}
              onCommit={(count) => onChange(reviewers.with(index, { ...reviewer, count }), `reviewer.${index}.count`)}
            />
          </>
        )
      }
    </EntryList>
  );
};
