"use client";

import { Field } from "@/components/ui/field";
import { Select, type SelectItem } from "@/components/ui/select";
import { UNASSIGNED } from "@/lib/graph/wiring";

/** An empty value would show the placeholder; no id begins like this. */
const NONE = "-";

type Props = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly items: readonly SelectItem<string>[];
  readonly value: string | undefined;
  readonly none?: string | undefined;
  readonly onChange: (value: string | undefined) => void;
};

export const ChoiceOrNone = ({ label, hint, items, value, none, onChange }: Props) => {
  const missing =
    value === undefined || items.some((item) => item.value === value)
      ? []
      : [{ value, label: value === UNASSIGNED ? "Not chosen" : `${value} (missing)` }];

  return (
    <Field label={label} hint={hint}>
      <Select
        items={[...(none === undefined ? [] : [{ value: NONE, label: none }]), ...missing, ...items]}
        value={value ?? (none === undefined ? null : NONE)}
        onValueChange={(next) => onChange(next === NONE ? undefined : next)}
      />
    </Field>
  );
};
