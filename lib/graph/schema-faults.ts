/** Faults of a value by JSON Schema. */
import { findSchemaFaults } from "@/lib/graph/json-schema";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";

export type SchemaFault = {
  /** Fields that the schema declares; an item is its index. */
  readonly path: readonly string[];
  /** From the schema alone. */
  readonly expected: string;
  /** Undefined: a required field is missing. */
  readonly value: Json | undefined;
};

const MOST_FAULTS = 20;
const MOST_CHOICES = 12;
const MAX_DEPTH = 32;

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const decodePointer = (pointer: string): string[] =>
  pointer
    .replace(/^#\/?/u, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));

const resolve = (root: JsonObject, schema: JsonObject, depth = 0): JsonObject => {
  const { $ref: ref } = schema;
  if (typeof ref !== "string" || !ref.startsWith("#") || depth > MAX_DEPTH) return schema;
  const target = decodePointer(ref).reduce<Json | undefined>(
    (at, part) => (isJsonObject(at) && Object.hasOwn(at, part) ? at[part] : undefined),
    root,
  );

  return isJsonObject(target) ? resolve(root, target, depth + 1) : schema;
};

const memberOf = (value: Json | undefined, segment: string): Json | undefined => {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(segment)];

  return isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
};

/** Null: not declared, so its name is data. */
const stepInto = (root: JsonObject, schema: JsonObject, value: Json | undefined, segment: string): JsonObject | null => {
  const { properties, items, prefixItems } = schema;
  const found = Array.isArray(value)
    ? (list(prefixItems)[Number(segment)] ?? items ?? {})
    : isJsonObject(properties) && Object.hasOwn(properties, segment)
      ? properties[segment]
      : null;

  return isJsonObject(found) ? resolve(root, found) : null;
};

const between = (low: Json | undefined, high: Json | undefined, unit: string): readonly string[] => {
  const [least, most] = [typeof low === "number" ? low : null, typeof high === "number" ? high : null];
  if (least !== null && most !== null) return [`${least} to ${most}${unit}`];
  if (least !== null) return [`at least ${least}${unit}`];

  return most === null ? [] : [`at most ${most}${unit}`];
};

/** Describes a schema: "integer, 0 to 100". */
export const describeSchema = (schema: JsonObject): string => {
  const { type, enum: choices, const: fixed, pattern, format, required } = schema;
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (Array.isArray(choices)) {
    const shown = list(choices)
      .slice(0, MOST_CHOICES)
      .map((choice) => JSON.stringify(choice));

    return `one of ${shown.join(", ")}${choices.length > MOST_CHOICES ? ", …" : ""}`;
  }
  const alternatives = [...list(schema["anyOf"]), ...list(schema["oneOf"])].filter(isJsonObject);
  if (alternatives.length > 0) return alternatives.map(describeSchema).join(", or ");
  const types = typeof type === "string" ? [type] : list(type).filter((each) => typeof each === "string");
  const fields = list(required).filter((name) => typeof name === "string");

  return [
    types.length === 0 ? "another value" : types.join(" or "),
    ...(typeof format === "string" ? [`format ${format}`] : []),
    ...(typeof pattern === "string" ? [`matching ${pattern}`] : []),
    ...between(schema["minimum"], schema["maximum"], ""),
    ...between(schema["minLength"], schema["maxLength"], " characters"),
    ...between(schema["minItems"], schema["maxItems"], " items"),
    ...(fields.length === 0 ? [] : [`with ${fields.join(", ")}`]),
  ].join(", ");
};

type Place = {
  readonly path: readonly string[];
  readonly schema: JsonObject;
  readonly value: Json | undefined;
  readonly isDeclared: boolean;
};

const placeOf = (root: JsonObject, value: Json, segments: readonly string[]): Place =>
  segments.reduce<Place>(
    (at, segment) => {
      if (!at.isDeclared) return at;
      const inner = stepInto(root, at.schema, at.value, segment);

      return inner === null
        ? { ...at, isDeclared: false }
        : { path: [...at.path, segment], schema: inner, value: memberOf(at.value, segment), isDeclared: true };
    },
    { path: [], schema: resolve(root, root), value, isDeclared: true },
  );

const missingIn = ({ path, schema, value }: Place, root: JsonObject): SchemaFault[] => {
  const names = list(schema["required"]).filter((name) => typeof name === "string");

  return isJsonObject(value)
    ? names
        .filter((name) => !Object.hasOwn(value, name))
        .map((name) => ({ path: [...path, name], expected: describeSchema(stepInto(root, schema, {}, name) ?? {}), value: undefined }))
    : [];
};

const undeclaredIn = ({ path, schema, value }: Place): SchemaFault[] => {
  const { properties } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return [];
  const extra = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const isClosed = schema["additionalProperties"] === undefined || schema["additionalProperties"] === false;

  return extra.length > 0 && isClosed
    ? [
        {
          path,
          expected: `no fields besides ${Object.keys(properties).join(", ")}`,
          value: Object.fromEntries(extra.map((name) => [name, value[name] ?? null])),
        },
      ]
    : [];
};

const textOf = ({ path, expected }: SchemaFault): string => `${path.join("/")} ${expected}`;

/** Lists a value's innermost faults, at most 20. */
export const listSchemaFaults = (schema: JsonObject, value: Json): readonly SchemaFault[] => {
  const pointers = [...new Set(findSchemaFaults(schema, value, true))].map(decodePointer);
  const inner = pointers.filter(
    (segments) => !pointers.some((other) => other.length > segments.length && segments.every((part, index) => part === other[index])),
  );
  const places = [...inner, ...pointers].map((segments) => placeOf(schema, value, segments));
  const objects = places.flatMap((place) => [...missingIn(place, schema), ...undeclaredIn(place)]);
  const innermost = inner
    .map((segments) => placeOf(schema, value, segments))
    .filter((place) => place.isDeclared && missingIn(place, schema).length === 0 && undeclaredIn(place).length === 0)
    .map(({ path, schema: wanted, value: found }): SchemaFault => ({ path, expected: describeSchema(wanted), value: found }));

  const found = [...new Map([...innermost, ...objects].map((fault) => [textOf(fault), fault])).values()].slice(0, MOST_FAULTS);

  // A negation or a condition faults at no field.
  return found.length > 0 || pointers.length === 0 ? found : [{ path: [], expected: describeSchema(schema), value }];
};
