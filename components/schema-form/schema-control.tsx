"use client";

import { describeMediaType } from "@/components/values/file-text";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { Json } from "@/lib/json";
import type { SchemaField, LeafControl } from "./schema-field";
import { FileControl } from "./file-control";
import { describeChoice } from "./entered-values";

type Leaf = Exclude<SchemaField["control"], { type: "group" }>;

type Props = {
  readonly field: SchemaField;
  readonly control: Leaf;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
};

const TYPES = { date: "date", uri: "url", email: "email" } as const;

const optionLabel = (option: Json): string => (typeof option === "string" ? option : JSON.stringify(option));

/** An optional choice can be cleared. */
const choices = ({ options, labels }: Extract<Leaf, { type: "choice" }>, required: boolean) => [
  ...(required ? [] : [{ value: "", label: "Not set" }]),
  ...options.map((option, index) => ({ value: describeChoice(option), label: labels[index] ?? optionLabel(option) })),
];

const OPEN_BOOLEAN = [
  { value: "", label: "Not set" },
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

const hintOf = (control: Leaf): string | null => {
  if (control.type === "json") return "Enter JSON.";
  if (control.type === "file") return control.mediaTypes.length === 0 ? null : `${control.mediaTypes.map(describeMediaType).join(", ")}.`;
  if (control.type !== "list") return null;

  return control.item.type === "choice" ? `One per line: ${control.item.options.map(optionLabel).join(", ")}.` : "One per line.";
};

type EntryProps = Pick<Props, "value" | "onChange" | "onLeave"> & {
  readonly control: Exclude<Leaf, { type: "choice" | "boolean" | "file" }>;
};

const Entry = ({ control, value, onChange, onLeave }: EntryProps) => {
  if (control.type === "list" || control.type === "json" || (control.type === "text" && control.long)) {
    const isCode = control.type === "json";

    return (
      <Textarea
        value={value}
        rows={control.type === "text" ? 2 : 3}
        spellCheck={isCode ? false : undefined}
        className={isCode ? "font-mono text-xs" : undefined}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onLeave}
      />
    );
  }
  const isNumber = control.type !== "text";
  const type = control.type === "text" && control.format !== null ? TYPES[control.format] : "text";

  return (
    <Input
      value={value}
      type={type}
      inputMode={isNumber ? "decimal" : undefined}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onLeave}
    />
  );
};

const selectItems = (control: Extract<LeafControl, { type: "choice" | "boolean" }>, required: boolean) =>
  control.type === "choice" ? choices(control, required) : OPEN_BOOLEAN;

export const SchemaControl = ({ field, control, value, error, onChange, onLeave }: Props) => {
  const { required, description } = field;
  if (control.type === "boolean" && required) {
    return (
      <div className="flex flex-col gap-1">
        <Checkbox checked={value === "true"} onCheckedChange={(checked) => onChange(String(checked))}>
          {field.label}
        </Checkbox>
        {description === null ? null : <p className="pl-6 text-xs text-muted">{description}</p>}
      </div>
    );
  }
  const hint = [description, hintOf(control)].filter((part) => part !== null).join(" ");

  return (
    <Field label={required ? field.label : `${field.label} (optional)`} hint={hint === "" ? undefined : hint} error={error}>
      {control.type === "choice" || control.type === "boolean" ? (
        <Select items={selectItems(control, required)} value={value === "" && required ? null : value} onValueChange={onChange} />
      ) : control.type === "file" ? (
        <FileControl mediaTypes={control.mediaTypes} value={value} onChange={onChange} onLeave={onLeave} />
      ) : (
        <Entry control={control} value={value} onChange={onChange} onLeave={onLeave} />
      )}
    </Field>
  );
};
