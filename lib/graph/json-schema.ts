/** JSON Schema checks by interpretation, so that no graph author reaches code generation and a strict CSP holds. */
import { Validator, type Schema } from "@cfworker/json-schema";
import type { Json, JsonObject } from "@/lib/json";

/** Keywords whose value is data, or a schema that decides about others: closing what is negated would open the whole. */
const UNTOUCHED = ["enum", "const", "default", "examples", "not", "if"];
/** Keywords whose members are named by the author: their names are no keywords. */
const NAMED = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/** `properties` without a word about others means these and no others: a key schema is strict unless it says so. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map((item: unknown) => closed(item));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]: [string, unknown]): [string, unknown] => {
    if (UNTOUCHED.includes(key)) return [key, value];

    return [key, NAMED.includes(key) && typeof value === "object" && value !== null ? closedMembers(value) : closed(value)];
  });
  const object: Record<string, unknown> = Object.fromEntries(entries);
  if ("properties" in object && !("additionalProperties" in object) && !("unevaluatedProperties" in object)) {
    object["additionalProperties"] = false;
  }

  return object;
};

const closedMembers = (members: object): unknown =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, closed(schema)]));

const validator = (schema: JsonObject, strict: boolean) =>
  // The library's type is narrower than JSON Schema itself; whatever it cannot use it ignores or throws on.
  new Validator((strict ? closed(schema) : schema) as Schema, "2020-12", true);

/** Whether `value` matches; a schema that cannot be used matches nothing. `strict` closes objects that list properties. */
export const matchesSchema = (schema: JsonObject, value: Json, strict: boolean): boolean => {
  try {
    return validator(schema, strict).validate(value).valid;
  } catch {
    return false;
  }
};

/** Where `value` first fails, as instance locations like `#/email`; empty when it matches. */
export const schemaFaults = (schema: JsonObject, value: Json): string[] => {
  try {
    return validator(schema, true)
      .validate(value)
      .errors.map((fault) => fault.instanceLocation);
  } catch {
    return ["#"];
  }
};

/** Whether the schema can be used at all. */
export const isUsableSchema = (schema: JsonObject): boolean => {
  try {
    validator(schema, true).validate(null);

    return true;
  } catch {
    return false;
  }
};
