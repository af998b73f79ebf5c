"use client";

import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { LaunchField } from "./launch-inputs";

type Props = { readonly field: LaunchField; readonly value: string; readonly onChange: (value: string) => void };

/** One input of a run. */
export const LaunchFieldControl = ({ field, value, onChange }: Props) => {
  if (field.type === "boolean") {
    return (
      <Checkbox checked={value === "true"} onCheckedChange={(checked) => onChange(String(checked))}>
        {field.label}
      </Checkbox>
    );
  }
  const label = field.required ? field.label : `${field.label} (optional)`;

  return (
    <Field label={label} hint={field.description}>
      {field.type === "choice" ? (
        <Select
          items={field.options.map((option) => ({ value: option, label: option }))}
          value={value === "" ? null : value}
          onValueChange={onChange}
        />
      ) : field.type === "json" ? (
        <Textarea value={value} className="font-mono text-xs" onChange={(event) => onChange(event.target.value)} />
      ) : (
        <Input value={value} inputMode={field.type === "text" ? "text" : "decimal"} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
};
