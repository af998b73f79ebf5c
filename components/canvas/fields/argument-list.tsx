"use client";

import { useId } from "react";
import { Select } from "@/components/ui/select";
import type { Graph, NodeOf } from "@/lib/graph/document";
import { isJsonObject, jsonSchema, type Json, type JsonObject } from "@/lib/json";
import { declaredPaths } from "./declared-paths";
import { notAPath } from "./path-check";
import { PathOptions } from "./path-options";
import { TextField } from "./text-field";

type Values = NodeOf<"tool">["config"]["arguments"];
type Source = "none" | "from" | "value";

const SOURCES = [
  { value: "none", label: "Left out" },
  { value: "from", label: "From memory" },
  { value: "value", label: "Fixed" },
] as const satisfies readonly { value: Source; label: string }[];

const propertiesOf = (schema: JsonObject | null): readonly string[] => {
  const properties: Json | undefined = schema?.["properties"];

  return isJsonObject(properties) ? Object.keys(properties) : [];
};

const isRequired = (schema: JsonObject | null, name: string): boolean => {
  const required: Json | undefined = schema?.["required"];

  return Array.isArray(required) && required.includes(name);
};

/** What is typed is JSON where it can be, otherwise the text itself. */
const fixedValue = (text: string): Json => {
  try {
    return jsonSchema.parse(JSON.parse(text));
  } catch {
    return text;
  }
};

const fixedText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

type Props = {
  readonly schema: JsonObject | null;
  readonly values: Values;
  readonly graph: Graph;
  readonly onChange: (values: Values, field?: string) => void;
};

/** One row per argument of the pinned schema: read from a declared path, fixed in the graph, or left out. */
export const ArgumentList = ({ schema, values, graph, onChange }: Props) => {
  const listId = useId();
  const [firstPath = "key"] = declaredPaths(graph);
  const names = [...new Set([...propertiesOf(schema), ...Object.keys(values)])];
  const change = (name: string, source: Source) => {
    const { [name]: _before, ...rest } = values;
    if (source === "none") onChange(rest);
    else onChange({ ...rest, [name]: source === "from" ? { from: firstPath } : { value: "" } });
  };

  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">Arguments</legend>
      {names.length === 0 ? <p className="text-xs text-muted">The tool takes none.</p> : null}
      {names.map((name) => {
        const argument = values[name];
        const source: Source = argument === undefined ? "none" : "from" in argument ? "from" : "value";

        return (
          <div key={name} className="flex flex-col gap-1 border-l-2 pl-2">
            <div className="flex items-center justify-between gap-2">
              <span className="font-mono text-xs">
                {name}
                {isRequired(schema, name) ? <span className="text-muted"> required</span> : null}
              </span>
              <Select
                aria-label={`Source of ${name}`}
                className="w-32"
                items={SOURCES}
                value={source}
                onValueChange={(next) => change(name, next)}
              />
            </div>
            {argument === undefined ? null : "from" in argument ? (
              <TextField
                label={`Path for ${name}`}
                mono
                list={listId}
                value={argument.from}
                check={notAPath}
                onCommit={(from) => onChange({ ...values, [name]: { from } }, `argument.${name}`)}
              />
            ) : (
              <TextField
                label={`Value of ${name}`}
                mono
                value={fixedText(argument.value)}
                onCommit={(text) => onChange({ ...values, [name]: { value: fixedValue(text) } }, `argument.${name}`)}
              />
            )}
          </div>
        );
      })}
      <PathOptions id={listId} graph={graph} />
    </fieldset>
  );
};
