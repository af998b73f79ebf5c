"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

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
