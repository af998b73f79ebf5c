"use client";

import { BadgeCheck } from "lucide-react";
import { AgentSelect, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { findExpressionFault } from "@/components/canvas/fields/expression-check";
import { Criteria } from "@/components/canvas/fields/instructions";
import { JsonField } from "@/components/canvas/fields/json-field";
import { NumberField } from "@/components/canvas/fields/number-field";
import { PathField, WriteTo } from "@/components/canvas/fields/path-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Graph } from "@/lib/graph/document";
import { isUsableSchema } from "@/lib/graph/json-schema";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { isJsonObject } from "@/lib/json";
import type { FormProps, KindUi } from "./kind-ui";

type Check = FormProps<"verifier">["node"]["config"]["check"];

const CHECKS = [
  { value: "expression", label: "An expression is true" },
  { value: "schema", label: "A value matches a JSON Schema" },
  { value: "judge", label: "A judge agent scores it high enough" },
] as const satisfies readonly { value: Check["type"]; label: string }[];

const OUTCOMES = [
  { value: "record", label: "Record it and continue" },
  { value: "fail", label: "Fail the node (verification_failed)" },
] as const;

const newCheck = (type: Check["type"], graph: Graph, catalog: ValidationContext, before?: Check): Check => {
  const key = before && "key" in before ? before.key : (listDeclaredPaths(graph)[0] ?? "value");
  switch (type) {
    case "expression":
      return { type, expression: `memory.${key} != null` };
    case "schema":
      return { type, key, schema: {} };
    case "judge":
      return { type, agent_id: getFirstAgent(catalog), key, criteria: "", threshold: 0.8 };
    default:
      return type satisfies never;
  }
};

type CheckProps = {
  readonly check: Check;
  readonly graph: Graph;
  readonly catalog: ValidationContext;
  readonly onChange: (check: Check, field?: string) => void;
};

const CheckFields = ({ check, graph, catalog, onChange }: CheckProps) => {
  switch (check.type) {
    case "expression":
      return (
        <TextField
          label="Expression"
          hint="CEL over the memory it may read. Only true passes; an error fails the check."
          mono
          rows={3}
          value={check.expression}
          check={findExpressionFault}
          onCommit={(expression) => onChange({ ...check, expression }, "expression")}
        />
      );
    case "schema":
      return (
        <>
          <PathField label="Value path" graph={graph} value={check.key} onCommit={(key) => onChange({ ...check, key }, "key")} />
          <JsonField
            label="JSON Schema"
            value={check.schema}
            check={(value) => (isJsonObject(value) && isUsableSchema(value) ? null : "Enter a supported JSON Schema.")}
            onCommit={(value) => {
              if (isJsonObject(value)) onChange({ ...check, schema: { ...value } }, "schema");
            }}
          />
        </>
      );
    case "judge":
      return (
        <>
          <AgentSelect label="Judge" catalog={catalog} value={check.agent_id} onChange={(id) => onChange({ ...check, agent_id: id })} />
          <PathField label="Value path" graph={graph} value={check.key} onCommit={(key) => onChange({ ...check, key }, "key")} />
          <Criteria value={check.criteria} onCommit={(criteria) => onChange({ ...check, criteria }, "criteria")} />
          <NumberField
            label="Passing score"
            hint="Scores range from 0 to 1."
            integer={false}
            value={check.threshold}
            min={0}
            max={1}
            onCommit={(threshold) => onChange({ ...check, threshold }, "threshold")}
          />
        </>
      );
    default:
      return check satisfies never;
  }
};

const Form = ({ node, graph, catalog, change }: FormProps<"verifier">) => {
  const { config } = node;
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <Field label="Check">
        <Select
          items={CHECKS}
          value={config.check.type}
          onValueChange={(type) => set({ check: newCheck(type, graph, catalog, config.check) })}
        />
      </Field>
      <CheckFields check={config.check} graph={graph} catalog={catalog} onChange={(check, field) => set({ check }, field)} />
      <Field label="If the check fails">
        <Select items={OUTCOMES} value={config.on_fail} onValueChange={(outcome) => set({ on_fail: outcome })} />
      </Field>
      <WriteTo label="Write verdict to" graph={graph} value={config.write_to} onCommit={(path) => set({ write_to: path }, "write_to")} />
    </>
  );
};

const summaryOf = (check: Check): string => {
  switch (check.type) {
    case "expression":
      return check.expression;
    case "schema":
      return `${check.key} matches its schema`;
    case "judge":
      return `${check.agent_id} scores ${check.key} ≥ ${check.threshold}`;
    default:
      return check satisfies never;
  }
};

export const verifierUi: KindUi<"verifier"> = {
  icon: BadgeCheck,
  group: "decide",
  summary: ({ config }) => summaryOf(config.check),
  Form,
  initial: (graph, catalog) => ({ config: { check: newCheck("expression", graph, catalog), on_fail: "record" } }),
};
