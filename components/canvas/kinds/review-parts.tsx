"use client";

import { AgentSelect, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { EntryList } from "@/components/canvas/fields/entry-list";
import { listLooseNodes, NodeSelect } from "@/components/canvas/fields/node-select";
import { NumberField } from "@/components/canvas/fields/number-field";
import { OptionalSection } from "@/components/canvas/fields/optional-section";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Graph, NodeOf } from "@/lib/graph/document";
import type { Reviewer } from "@/lib/graph/kinds/review";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { deciderSchema } from "@/lib/roles";

type Config = NodeOf<"review">["config"];

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

type ReworkProps = {
  readonly node: NodeOf<"review">;
  readonly graph: Graph;
  readonly set: (changed: Partial<Config>, field?: string) => void;
};

/** Target and limit of rework. */
export const ReworkSection = ({ node, graph, set }: ReworkProps) => {
  const { rework } = node.config;
  const others = [...listLooseNodes(graph), ...graph.nodes].filter((other) => other.id !== node.id && !graph.end_nodes.includes(other.id));

  return (
    <OptionalSection
      title="Send back rejected work"
      about="Work is redone up to the limit, then a person decides. When off, the run continues and a judge rejects."
      isOn={rework !== undefined}
      onToggle={(isOn) => set({ rework: isOn ? { node: others[0]?.id ?? "unassigned", limit: 2 } : undefined })}
    >
      {rework ? (
        <>
          <NodeSelect
            label="Send back to"
            graph={graph}
            of={node.id}
            value={rework.node}
            onChange={(id) => {
              if (id !== undefined) set({ rework: { ...rework, node: id } });
            }}
          />
          <NumberField
            label="Max times"
            value={rework.limit}
            min={0}
            max={10}
            onCommit={(limit) => set({ rework: { ...rework, limit } }, "rework.limit")}
          />
        </>
      ) : null}
    </OptionalSection>
  );
};
