"use client";

import { Field } from "@/components/ui/field";
import { Select, type SelectItem } from "@/components/ui/select";

/** No id begins like this; an empty value would show the placeholder instead of its label. */
const NONE = "-";

type Props = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly items: readonly SelectItem<string>[];
  readonly value: string | undefined;
  /** What choosing nothing means; absent: something has to be chosen. */
  readonly none?: string | undefined;
  readonly onChange: (value: string | undefined) => void;
};

/** One of a list, or none where that means something. What is chosen but not in the list is shown as missing. */
export const ChoiceOrNone = ({ label, hint, items, value, none, onChange }: Props) => {
  const missing = value === undefined || items.some((item) => item.value === value) ? [] : [{ value, label: `${value} (missing)` }];

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
