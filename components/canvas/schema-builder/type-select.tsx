"use client";

import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { getRowType, ROW_TYPES, withType, type RowType } from "@/lib/graph/schema-rows";
import type { Json, JsonObject } from "@/lib/json";

const TITLES: Readonly<Record<RowType, string>> = {
  text: "Text",
  number: "Number",
  integer: "Whole number",
  boolean: "Yes or no",
  date: "Date",
  choice: "One of a list",
  file: "File",
  list: "List",
  object: "Object",
};

const TYPES = ROW_TYPES.map((value) => ({ value, label: TITLES[value] }));
const OTHER = { value: "other", label: "Other (JSON)" } as const;

export type SchemaProps = {
  readonly schema: Json;
  /** @param part groups typing into one undo step */
  readonly onChange: (schema: JsonObject, part?: string) => void;
};

export const TypeSelect = ({ label, schema, onChange }: SchemaProps & { readonly label: string }) => {
  const type = getRowType(schema) ?? OTHER.value;

  return (
    <Field label={label}>
      <Select<RowType | "other">
        items={type === OTHER.value ? [OTHER, ...TYPES] : TYPES}
        value={type}
        onValueChange={(next) => {
          if (next !== OTHER.value && next !== type) onChange(withType(schema, next));
        }}
      />
    </Field>
  );
};
