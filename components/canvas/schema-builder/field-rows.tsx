"use client";

import { Plus, Trash2 } from "lucide-react";
import { useId } from "react";
import { JsonField } from "@/components/canvas/fields/json-field";
import { formatLoose, parseLoose } from "@/components/canvas/fields/loose-json";
import { NameList } from "@/components/canvas/fields/name-list";
import { TextField } from "@/components/canvas/fields/text-field";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { isMediaType, listMediaTypes } from "@/lib/graph/artifact-schema";
import { isUsableSchema, matchesSchema } from "@/lib/graph/json-schema";
import {
  addRow,
  findNameFault,
  getExample,
  getLabel,
  getRowType,
  readRows,
  withExample,
  withLabel,
  writeRow,
  type Row,
} from "@/lib/graph/schema-rows";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { TypeSelect, type SchemaProps } from "./type-select";

const parseExample = (text: string, type: Row["type"]): Json =>
  type === "text" || type === "date" || type === "choice" ? text : parseLoose(text);

const formatExample = (example: Json | undefined): string => {
  if (example === undefined) return "";

  return typeof example === "string" ? example : formatLoose(example);
};

export const TypeDetails = ({ schema, onChange, name }: SchemaProps & { readonly name: string }) => {
  const type = getRowType(schema);
  if (type === null || !isJsonObject(schema)) {
    return (
      <JsonField
        label={`JSON Schema of ${name}`}
        value={schema}
        check={(value) => (isJsonObject(value) && isUsableSchema(value) ? null : "Enter a supported JSON Schema.")}
        onCommit={(value) => {
          if (isJsonObject(value)) onChange(value, "json");
        }}
      />
    );
  }
  const { enum: choices, items } = schema;
  if (type === "choice") {
    return (
      <NameList
        label={`Choices of ${name}`}
        placeholder="Add a choice"
        names={Array.isArray(choices) ? choices.map(String) : []}
        suggestions={[]}
        check={() => null}
        onChange={(names) => onChange({ ...schema, enum: names })}
        lastStays="At least one choice is required."
      />
    );
  }
  if (type === "file") {
    const { "x-media-types": _types, ...others } = schema;

    return (
      <NameList
        label={`Types of ${name}`}
        placeholder="Add a type, such as image/*"
        names={listMediaTypes(schema)}
        suggestions={["image/*", "application/pdf", "text/*"]}
        check={(entered) => (isMediaType(entered) ? null : "Enter a type such as application/pdf or image/*.")}
        onChange={(types) => onChange(types.length === 0 ? others : { ...schema, "x-media-types": types })}
      />
    );
  }
  if (type === "list" && isJsonObject(items)) {
    const change = (next: JsonObject, part?: string) => onChange({ ...schema, items: next }, part);

    return (
      <div className="flex flex-col gap-2 border-l-2 pl-3">
        <TypeSelect label="Items" schema={items} onChange={change} />
        <TypeDetails name={`items of ${name}`} schema={items} onChange={change} />
      </div>
    );
  }

  return type === "object" ? (
    <div className="border-l-2 pl-3">
      <FieldRows title={`Fields of ${name}`} schema={schema} onChange={onChange} />
    </div>
  ) : null;
};

type RowProps = {
  readonly row: Row;
  readonly listId: string;
  readonly findFault: (name: string) => string | null;
  /** Null: removed. */
  readonly onChange: (row: Row | null, part?: string) => void;
};

const RowFields = ({ row, listId, findFault, onChange }: RowProps) => {
  const { name, type, required, schema } = row;
  const change = (next: JsonObject, part?: string) => onChange({ ...row, schema: next }, part);

  return (
    <fieldset aria-label={`Field ${name}`} className="flex min-w-0 flex-col gap-3 rounded-md border bg-surface p-3">
      <div className="grid grid-cols-2 gap-2">
        <TextField
          label="Field name"
          mono
          list={listId}
          value={name}
          check={findFault}
          onCommit={(next) => onChange({ ...row, name: next }, "name")}
        />
        <TypeSelect label="Type" schema={schema} onChange={change} />
      </div>
      {isJsonObject(schema) && type !== null ? (
        <div className="grid grid-cols-2 gap-2">
          <TextField
            label="Label"
            placeholder={name}
            value={getLabel(schema)}
            onCommit={(label) => change(withLabel(schema, label), "label")}
          />
          {type === "object" || type === "boolean" || type === "file" ? null : (
            <TextField
              label="Example"
              value={formatExample(getExample(schema))}
              check={(text) =>
                text === "" || matchesSchema(schema, parseExample(text, type), true) ? null : "The field does not accept this value."
              }
              onCommit={(text) => change(withExample(schema, text === "" ? undefined : parseExample(text, type)), "example")}
            />
          )}
        </div>
      ) : null}
      <TypeDetails name={name} schema={schema} onChange={change} />
      <div className="flex items-center justify-between gap-2">
        <Checkbox checked={required} onCheckedChange={(isRequired) => onChange({ ...row, required: isRequired })}>
          Required
        </Checkbox>
        <Button size="icon" variant="ghost" aria-label={`Remove field ${name}`} onClick={() => onChange(null)}>
          <Trash2 aria-hidden />
        </Button>
      </div>
    </fieldset>
  );
};

type Props = {
  readonly title: string;
  readonly schema: JsonObject;
  readonly onChange: (schema: JsonObject, part?: string) => void;
  readonly suggestions?: readonly string[];
};

export const FieldRows = ({ title, schema, onChange, suggestions = [] }: Props) => {
  const listId = useId();
  const rows = readRows(schema) ?? [];

  return (
    <fieldset aria-label={title} className="flex min-w-0 flex-col gap-2">
      {rows.length === 0 ? <p className="rounded-md border border-dashed px-3 py-2 text-xs text-muted">No fields yet.</p> : null}
      {rows.map((row, index) => (
        // Names change while they are typed.
        <RowFields
          key={index}
          row={row}
          listId={listId}
          findFault={(name) => findNameFault(schema, row.name, name)}
          onChange={(next, part) => onChange(writeRow(schema, row.name, next), part === undefined ? undefined : `${index}.${part}`)}
        />
      ))}
      <Button size="sm" className="self-start" onClick={() => onChange(addRow(schema, suggestions))}>
        <Plus aria-hidden /> Add a field
      </Button>
      <datalist id={listId}>
        {suggestions.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </fieldset>
  );
};
