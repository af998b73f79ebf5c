/** Tool arguments suggested by input schema and memory. */
import type { Graph, NodeOf } from "@/lib/graph/document";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";

type Arguments = NodeOf<"tool">["config"]["arguments"];

export const getMembers = (schema: Json | undefined): JsonObject =>
  isJsonObject(schema) && isJsonObject(schema["properties"]) ? schema["properties"] : {};

/** A key of this name, else the only member with it. */
const findPath = ({ memory }: Graph, name: string): string | undefined => {
  if (memory.some(({ key }) => key === name)) return name;
  const [path, ...others] = memory.flatMap(({ key, schema }) => (Object.hasOwn(getMembers(schema), name) ? [`${key}.${name}`] : []));

  return others.length === 0 ? path : undefined;
};

/** The schema's constant, default or only choice. */
export const findValue = (schema: Json): Json | undefined => {
  if (!isJsonObject(schema)) return undefined;
  const { const: fixed, default: fallback, enum: choices } = schema;
  const only = Array.isArray(choices) && choices.length === 1 ? (choices as readonly Json[])[0] : undefined;

  return fixed ?? only ?? fallback;
};

/** Adds missing arguments that can be inferred. */
export const inferArguments = (schema: JsonObject, graph: Graph, before: Arguments): Arguments => {
  const inferred = Object.entries(getMembers(schema)).flatMap(([name, member]): [string, Arguments[string]][] => {
    if (Object.hasOwn(before, name)) return [];
    const from = findPath(graph, name);
    const value = findValue(member);
    if (from !== undefined) return [[name, { from }]];

    return value === undefined ? [] : [[name, { value }]];
  });

  return { ...before, ...Object.fromEntries(inferred) };
};
