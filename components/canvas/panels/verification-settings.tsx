"use client";

import { AgentSelect, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { Criteria } from "@/components/canvas/fields/criteria";
import { OptionalSection } from "@/components/canvas/fields/optional-section";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { CHECKS, type Graph } from "@/lib/graph/document";
import type { GraphSettings } from "@/lib/graph/edit";

type Verification = NonNullable<Graph["verification"]>;
type Check = Verification["checks"][number];

const ABOUT: Record<Check["id"], { readonly title: string; readonly about: string }> = {
  correctness: { title: "Correctness", about: "Does it do what was asked for?" },
  quality: { title: "Quality", about: "Is it good enough to ship?" },
  security: { title: "Security", about: "Could it cause harm or leak data?" },
  docs: { title: "Docs", about: "Does it match its documentation?" },
};

const EFFECTS = [
  { value: "write", label: "Write effects" },
  { value: "irreversible", label: "Irreversible effects" },
] as const;

const ON_FAILURE = [
  { value: "fail", label: "Fail the node" },
  { value: "replan", label: "Retry the node" },
  { value: "human", label: "Ask a person" },
] as const;

type Props = { readonly graph: Graph; readonly set: (settings: GraphSettings, field?: string) => void };

export const VerificationSettings = ({ graph, set }: Props) => {
  const catalog = useCanvas((state) => state.catalog);
  const { verification } = graph;
  const change = (changed: Partial<Verification>, field?: string) => {
    if (verification) set({ verification: { ...verification, ...changed } }, field && `verification.${field}`);
  };
  const first = (id: Check["id"]): Check => ({ id, agent_id: getFirstAgent(catalog), criteria: "" });

  return (
    <OptionalSection
      title="Verify effects first"
      about="Before an effect happens, every check gives its own verdict. A missing verdict counts as a failure."
      isOn={verification !== undefined}
      onToggle={(isOn) =>
        set({
          verification: isOn ? { effects: ["write", "irreversible"], checks: [first("correctness")], on_failure: "fail" } : undefined,
        })
      }
    >
      {verification ? (
        <>
          <fieldset className="flex flex-col gap-1.5">
            <legend className="mb-1 text-sm font-medium">Verify</legend>
            {EFFECTS.map(({ value, label }) => {
              const isOn = verification.effects.includes(value);

              return (
                <Checkbox
                  key={value}
                  checked={isOn}
                  disabled={isOn && verification.effects.length === 1}
                  onCheckedChange={(on) =>
                    change({
                      effects: EFFECTS.map((effect) => effect.value).filter((effect) =>
                        effect === value ? on : verification.effects.includes(effect),
                      ),
                    })
                  }
                >
                  {label}
                </Checkbox>
              );
            })}
          </fieldset>
          {CHECKS.map((id) => {
            const index = verification.checks.findIndex((check) => check.id === id);
            const check = verification.checks[index];
            const replace = (changed: Partial<Check>, field?: string) => {
              if (check) change({ checks: verification.checks.with(index, { ...check, ...changed }) }, field);
            };

            return (
              <OptionalSection
                key={id}
                title={ABOUT[id].title}
                about={ABOUT[id].about}
                isOn={check !== undefined}
                onToggle={(isOn) =>
                  change({ checks: isOn ? [...verification.checks, first(id)] : verification.checks.filter((other) => other.id !== id) })
                }
              >
                {check ? (
                  <>
                    <AgentSelect
                      label={`Agent for ${ABOUT[id].title.toLowerCase()}`}
                      catalog={catalog}
                      value={check.agent_id}
                      onChange={(agent) => replace({ agent_id: agent })}
                    />
                    <Criteria value={check.criteria} onCommit={(criteria) => replace({ criteria }, `${id}.criteria`)} />
                  </>
                ) : null}
              </OptionalSection>
            );
          })}
          <Field label="If a check fails">
            <Select items={ON_FAILURE} value={verification.on_failure} onValueChange={(onFailure) => change({ on_failure: onFailure })} />
          </Field>
        </>
      ) : null}
    </OptionalSection>
  );
};
