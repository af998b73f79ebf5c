/** JSON Schema checks by interpretation, so that no graph author reaches code generation and a strict CSP holds. */
import { Validator, type Schema } from "@cfworker/json-schema";
import type { Json, JsonObject } from "@/lib/json";
import { answerPatterns, SCHEMA_MAPS } from "./json-schema-patterns";

/** Keywords whose value is data, or a schema that decides about others: closing what is negated would open the whole. */
const UNTOUCHED = ["enum", "const", "default", "examples", "not", "if"];

/** `properties` without a word about others means these and no others: a key schema is strict unless it says so. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map((item: unknown) => closed(item));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]: [string, unknown]): [string, unknown] => {
    if (UNTOUCHED.includes(key)) return [key, value];

    return [key, SCHEMA_MAPS.includes(key) && typeof value === "object" && value !== null ? closedMembers(value) : closed(value)];
  });
  const object: Record<string, unknown> = Object.fromEntries(entries);
  if ("properties" in object && !("additionalProperties" in object) && !("unevaluatedProperties" in object)) {
    object["additionalProperties"] = false;
  }

  return object;
};

const closedMembers = (members: object): unknown =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, closed(schema)]));

/** @throws when the schema cannot be used for the value */
const validated = (schema: JsonObject, value: Json, strict: boolean, first = true) => {
  const answered = answerPatterns(strict ? closed(schema) : schema, value);

  // The library's type is narrower than JSON Schema itself; whatever it cannot use it ignores or throws on.
  return new Validator(answered as Schema, "2020-12", first).validate(value);
};

/** Whether `value` matches; a schema that cannot be used matches nothing. `strict` closes objects that list properties. */
export const matchesSchema = (schema: JsonObject, value: Json, strict: boolean): boolean => {
  try {
    return validated(schema, value, strict).valid;
  } catch {
    return false;
  }
};

/** Where `value` first fails, or everywhere that it does, as instance locations like `#/email`; empty when it matches. */
export const findSchemaFaults = (schema: JsonObject, value: Json, everywhere = false): string[] => {
  try {
    return validated(schema, value, true, !everywhere).errors.map((fault) => fault.instanceLocation);
  } catch {
    return ["#"];
  }
};

/** Whether the schema can be used at all: its references resolve and its patterns are RE2's. */
export const isUsableSchema = (schema: JsonObject): boolean => {
  try {
    validated(schema, null, true);

    return true;
  } catch {
    return false;
  }
};
