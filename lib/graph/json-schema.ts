/** JSON Schema checks by interpretation, so that no graph author reaches code generation and a strict CSP holds. */
import { Validator, type Schema } from "@cfworker/json-schema";
import type { Json, JsonObject } from "@/lib/json";

/** `properties` without a word about others means these and no others: a key schema is strict unless it says so. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, key === "enum" || key === "const" ? value : closed(value)]);
  const object: Record<string, unknown> = Object.fromEntries(entries);
  if ("properties" in object && !("additionalProperties" in object) && !("unevaluatedProperties" in object)) {
    object["additionalProperties"] = false;
  }

  return object;
};

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
