"use client";

import { EntryList } from "@/components/canvas/fields/entry-list";
import { NameList } from "@/components/canvas/fields/name-list";
import { NumberField } from "@/components/canvas/fields/number-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { generateId } from "@/lib/graph/edit-nodes";
import type { ExtractField, ExtractValue } from "@/lib/graph/kinds/extract";
import { idSchema } from "@/lib/ids";

const MAX_FIELDS = 50;
const MAX_VALUES = 100;
const FAR = 1_000_000_000;

const FIRST: { readonly [T in ExtractValue["type"]]: ExtractValue & { readonly type: T } } = {
  enum: { type: "enum", values: ["yes", "no"] },
  integer: { type: "integer", min: 0, max: 100 },
  number: { type: "number", min: 0, max: 1 },
  boolean: { type: "boolean" },
  date: { type: "date" },
  text: { type: "text", max_length: 200 },
  url: { type: "url" },
  email: { type: "email" },
  path: { type: "path" },
};

const TYPES = [
  { value: "enum", label: "One of a list" },
  { value: "integer", label: "Whole number" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "Yes or no" },
  { value: "date", label: "Date" },
  { value: "url", label: "URL" },
  { value: "email", label: "Email address" },
  { value: "path", label: "File path" },
  { value: "text", label: "Free text" },
] as const satisfies readonly { value: ExtractValue["type"]; label: string }[];

type ValueProps = { readonly name: string; readonly value: ExtractValue; readonly onChange: (value: ExtractValue, field?: string) => void };

const Bounds = ({ name, value, onChange }: ValueProps) => {
  switch (value.type) {
    case "enum":
      return (
        <NameList
          label={`Values of ${name}`}
          placeholder="Add a value"
          names={value.values}
          suggestions={[]}
          check={(text) => (value.values.length >= MAX_VALUES ? "At most 100." : text.length > 200 ? "At most 200 characters." : null)}
          onChange={(values) => onChange({ ...value, values: [...values] })}
          lastStays="A list needs at least one value."
        />
      );
    case "integer":
    case "number":
      return (
        <div className="grid grid-cols-2 gap-2">
          <NumberField
            label={`Minimum of ${name}`}
            integer={value.type === "integer"}
            value={value.min}
            min={-FAR}
            max={FAR}
            onCommit={(min) => onChange({ ...value, min }, "min")}
          />
          <NumberField
            label={`Maximum of ${name}`}
            integer={value.type === "integer"}
            value={value.max}
            min={-FAR}
            max={FAR}
            onCommit={(max) => onChange({ ...value, max }, "max")}
          />
        </div>
      );
    case "text":
      return (
        <NumberField
          label={`Max characters of ${name}`}
          hint="Free text can carry instructions too. Prefer a list, a number or a date."
          value={value.max_length}
          min={1}
          max={20_000}
          onCommit={(length) => onChange({ ...value, max_length: length }, "max_length")}
        />
      );
    case "boolean":
    case "date":
    case "url":
    case "email":
    case "path":
      return null;
    default:
      return value satisfies never;
  }
};

type Props = { readonly fields: ExtractField[]; readonly onChange: (fields: ExtractField[], field?: string) => void };

export const ExtractFields = ({ fields, onChange }: Props) => (
  <EntryList
    title="Form fields"
    noun="field"
    empty="No fields yet. Add the first thing you want to know about the text."
    entries={fields}
    onRemove={(index) => onChange(fields.toSpliced(index, 1))}
    adds={[
      {
        label: "Add a field",
        whyNot: fields.length >= MAX_FIELDS ? "At most 50 fields" : null,
        onAdd: () =>
          onChange([
            ...fields,
            { name: generateId("field", new Set(fields.map(({ name }) => name))), description: "", required: true, value: FIRST.boolean },
          ]),
      },
    ]}
  >
    {(field, index) => {
      const set = (changed: Partial<ExtractField>, part?: string) =>
        onChange(fields.with(index, { ...field, ...changed }), part === undefined ? undefined : `field.${index}.${part}`);

      return (
        <>
          <TextField
            label={`Name of field ${index + 1}`}
            mono
            value={field.name}
            check={(text) => {
              if (fields.some(({ name }, other) => other !== index && name === text)) return "Another field already has this name.";

              return idSchema.safeParse(text).success ? null : "A letter, then letters, digits, - or _.";
            }}
            onCommit={(name) => set({ name }, "name")}
          />
          <Field label={`Type of field ${index + 1}`}>
            <Select items={TYPES} value={field.value.type} onValueChange={(type) => set({ value: FIRST[type] })} />
          </Field>
          <Bounds name={field.name} value={field.value} onChange={(value, part) => set({ value }, part)} />
          <TextField
            label={`Description of field ${index + 1}`}
            hint="For the model that fills it in."
            value={field.description}
            check={(text) => (text.length > 500 ? "At most 500 characters." : null)}
            onCommit={(description) => set({ description }, "description")}
          />
          <Checkbox checked={field.required} onCheckedChange={(required) => set({ required })}>
            Required
          </Checkbox>
        </>
      );
    }}
  </EntryList>
);
