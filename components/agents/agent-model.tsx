"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { EFFORTS, type Effort } from "@/lib/model-effort";

const DEFAULT = "default";

type Props = { readonly model: string; readonly onChange: (model: string) => void };
type FallbackProps = { readonly model: string | null; readonly onChange: (model: string | null) => void };

const NONE = "none";

export const FallbackModel = ({ model, onChange }: FallbackProps) => {
  const { data } = useQuery(useTRPC().models.list.queryOptions());
  const listed = (data ?? []).map(({ id, label }) => ({ value: id, label }));
  const isListed = model === null || listed.some(({ value }) => value === model);

  return (
    <Field
      label="Fallback model"
      hint="Asked while the provider of the model is down. Verdicts never fall back."
      error={data && !isListed ? "This model isn't allowed or no runner offers it. Choose another model." : null}
    >
      <Select
        items={[{ value: NONE, label: "None: the run waits" }, ...listed, ...(isListed ? [] : [{ value: model, label: model }])]}
        value={model ?? NONE}
        onValueChange={(chosen) => onChange(chosen === NONE ? null : chosen)}
      />
    </Field>
  );
};

export const AgentModel = ({ model, onChange }: Props) => {
  const { data } = useQuery(useTRPC().models.list.queryOptions());
  const listed = (data ?? []).map(({ id, label }) => ({ value: id, label }));
  const isListed = model === DEFAULT || listed.some(({ value }) => value === model);

  return (
    <Field
      label="Model"
      hint="Lists the models that an admin has allowed."
      error={data && !isListed ? "This model isn't allowed or no runner offers it. Its calls are refused. Choose another model." : null}
    >
      <Select
        items={[{ value: DEFAULT, label: "Same as the run" }, ...listed, ...(isListed ? [] : [{ value: model, label: model }])]}
        value={model}
        onValueChange={onChange}
      />
    </Field>
  );
};

const EFFORT_ITEMS = [
  { value: DEFAULT, label: "Provider's default" },
  { value: "low", label: "Low" },
  { value: "medium", label: "Medium" },
  { value: "high", label: "High" },
] as const satisfies readonly { readonly value: typeof DEFAULT | Effort; readonly label: string }[];

type EffortProps = { readonly effort: Effort | null; readonly onChange: (effort: Effort | null) => void };

export const AgentEffort = ({ effort, onChange }: EffortProps) => (
  <Field label="Reasoning effort" hint="How long the model thinks before it answers. Thinking is billed as output. Some models ignore it.">
    <Select
      items={EFFORT_ITEMS}
      value={effort ?? DEFAULT}
      onValueChange={(chosen) => onChange(EFFORTS.find((each) => each === chosen) ?? null)}
    />
  </Field>
);
