"use client";

import { z } from "zod";
import { ChoiceOrNone } from "@/components/canvas/fields/choice-or-none";
import { AgentField, AgentSelect, OptionalAgentSelect } from "@/components/canvas/fields/agent-select";
import { findExpressionFault } from "@/components/canvas/fields/expression-check";
import { JsonField } from "@/components/canvas/fields/json-field";
import { formatLoose, parseLoose } from "@/components/canvas/fields/loose-json";
import { NodeSelect } from "@/components/canvas/fields/node-select";
import { NumberField, OptionalNumberField } from "@/components/canvas/fields/number-field";
import { OptionalPathField, PathField } from "@/components/canvas/fields/path-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { findTopicFault } from "@/components/canvas/fields/topics";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { FormField } from "@/lib/graph/field";
import { isUsableSchema } from "@/lib/graph/json-schema";
import { isJsonObject, jsonSchema, type Json } from "@/lib/json";
import { findLengthFault, getBounds } from "./bounds";
import { NODE_FILTERS, type FormPlace, type Values } from "./initial-value";

export type ControlProps = {
  readonly field: FormField;
  readonly value: unknown;
  /** The object that has the field. */
  readonly siblings: Values;
  readonly place: FormPlace;
  readonly label: string;
  /** @param part groups typing into one undo step */
  readonly onChange: (value: unknown, part?: string) => void;
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const textOrNone = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const numberOrNone = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const jsonOf = (value: unknown): Json => jsonSchema.safeParse(value).data ?? null;

const hintOf = ({ meta: { description } }: FormField) => (description === undefined ? {} : { hint: description });

const NumberControl = ({ field, value, siblings, label, onChange }: ControlProps) => {
  const { unit = { name: "", size: 1 }, atMost } = field.meta;
  const { min, max, isInteger } = getBounds(field.inner);
  const scale = (bound: number | undefined) => (bound === undefined ? undefined : Number((bound / unit.size).toPrecision(2)));
  const common = {
    label: unit.name === "" ? label : `${label} (${unit.name})`,
    min: unit.size === 1 ? min : scale(min),
    max: unit.size === 1 ? (atMost?.(siblings) ?? max) : scale(max),
    integer: isInteger && unit.size === 1,
    ...hintOf(field),
  };
  const commit = (number: number | undefined) =>
    onChange(number === undefined || unit.size === 1 ? number : Math.round(number * unit.size), "");
  const shown = numberOrNone(value);

  return field.isOptional ? (
    <OptionalNumberField {...common} value={shown} onCommit={commit} />
  ) : (
    <NumberField {...common} value={(shown ?? 0) / unit.size} onCommit={commit} />
  );
};

/** Named after the node's work, else the graph's. */
const suggestName = ({ graph, nodeId }: FormPlace): string => {
  const title = graph.nodes.find(({ id }) => id === nodeId)?.title ?? "";

  return title === "" ? `${graph.name} agent` : title;
};

const AgentControl = ({ field, value, place, label, onChange }: ControlProps) => {
  const { catalog } = place;
  if (field.meta.none !== undefined)
    return (
      <OptionalAgentSelect
        label={label}
        none={field.meta.none}
        catalog={catalog}
        value={textOrNone(value)}
        onChange={onChange}
        {...hintOf(field)}
      />
    );
  const common = { label, catalog, value: textOf(value), onChange };

  return field.meta.widget === "own_agent" ? (
    <AgentField {...common} suggestedName={suggestName(place)} />
  ) : (
    <AgentSelect {...common} {...hintOf(field)} />
  );
};

const NodeControl = ({ field, value, place: { graph, nodeId = "" }, label, onChange }: ControlProps) => {
  const { nodes = "all", none } = field.meta;

  return (
    <NodeSelect
      label={label}
      graph={graph}
      of={nodeId}
      accepts={NODE_FILTERS[nodes]}
      value={textOrNone(value)}
      onChange={(id) => {
        if (id !== undefined || none !== undefined) onChange(id);
      }}
      {...hintOf(field)}
      {...(none === undefined ? {} : { none })}
    />
  );
};

const GroupControl = ({ field, value, place: { catalog }, label, onChange }: ControlProps) => (
  <ChoiceOrNone
    label={label}
    none={field.meta.none}
    items={(catalog.approvers?.groups ?? []).map(({ name }) => ({ value: name, label: name }))}
    value={textOrNone(value)}
    onChange={(group) => onChange(group)}
    {...hintOf(field)}
  />
);

const TextControl = (props: ControlProps) => {
  const { field, value, place, label, onChange } = props;
  const { widget, rows } = field.meta;
  const common = { label, ...hintOf(field), ...(rows === undefined ? {} : { rows }) };
  const commit = (text: string | undefined) => onChange(text, "");
  switch (widget) {
    case "agent":
    case "own_agent":
      return <AgentControl {...props} />;
    case "group":
      return <GroupControl {...props} />;
    case "node":
      return <NodeControl {...props} />;
    case "path":
    case "list_path":
      return field.isOptional ? (
        <OptionalPathField {...common} graph={place.graph} value={textOrNone(value)} onCommit={commit} />
      ) : (
        <PathField {...common} graph={place.graph} value={textOf(value)} onCommit={commit} />
      );
    case "topic":
      return <TextField {...common} mono value={textOf(value)} check={findTopicFault} onCommit={commit} />;
    case "expression":
      return <TextField {...common} mono value={textOf(value)} check={findExpressionFault} onCommit={commit} />;
    case "code":
      return <TextField {...common} mono value={textOf(value)} check={(text) => findLengthFault(field.inner, text)} onCommit={commit} />;
    case "json":
    case "prose":
    case "schema":
    case undefined:
      return <TextField {...common} value={textOf(value)} check={(text) => findLengthFault(field.inner, text)} onCommit={commit} />;
    default:
      return widget satisfies never;
  }
};

const JsonControl = ({ field, value, label, onChange }: ControlProps) => {
  const { inner, meta } = field;
  const isSchema = meta.widget === "schema";
  const fault = isSchema ? "Enter a supported JSON Schema." : "Enter a list of at most 1,000 items.";

  return (
    <JsonField
      label={label}
      value={jsonOf(value)}
      check={(json) => (inner.safeParse(json).success && (!isSchema || (isJsonObject(json) && isUsableSchema(json))) ? null : fault)}
      onCommit={(json) => onChange(json, "")}
      {...hintOf(field)}
    />
  );
};

export const FieldControl = (props: ControlProps) => {
  const { field, value, label, onChange } = props;
  const { inner, meta } = field;
  if (inner instanceof z.ZodNumber) return <NumberControl {...props} />;
  if (inner instanceof z.ZodString) return <TextControl {...props} />;
  if (inner instanceof z.ZodEnum)
    return (
      <Field label={label} {...hintOf(field)}>
        <Select
          items={inner.options.map((option) => ({ value: String(option), label: meta.choices?.[option] ?? String(option) }))}
          value={textOf(value)}
          onValueChange={(choice) => onChange(choice)}
        />
      </Field>
    );
  if (inner instanceof z.ZodBoolean || inner instanceof z.ZodLiteral)
    return (
      <Checkbox checked={value === true} onCheckedChange={(isOn) => onChange(isOn || (field.isOptional ? undefined : false))}>
        {label}
      </Checkbox>
    );
  if (meta.widget === "json" || meta.widget === "schema") return <JsonControl {...props} />;

  return (
    <TextField
      label={label}
      mono
      value={value === undefined ? "" : formatLoose(jsonOf(value))}
      onCommit={(text) => onChange(parseLoose(text), "")}
      {...hintOf(field)}
    />
  );
};
