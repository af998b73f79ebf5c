/** JSON Schema by interpretation: no code generation, so strict CSP holds. */
import { Validator, type Schema } from "@cfworker/json-schema";
import { isJsonObject, jsonSchema, type Json, type JsonObject } from "@/lib/json";
import { oncePer } from "@/lib/once-per";
import { answerPatterns, hasPatterns, SCHEMA_MAPS } from "./json-schema-patterns";

/** Closing a negated schema would open the whole. */
const UNTOUCHED = ["enum", "const", "default", "examples", "not", "if"];

/** A key schema is strict: `properties` alone closes the object. */
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

export const closeSchema = (schema: JsonObject): JsonObject => {
  const { data } = jsonSchema.safeParse(closed(schema));

  return isJsonObject(data) ? data : schema;
};

type Mode = { readonly strict: boolean; readonly first: boolean };

const createValidator = (schema: JsonObject, value: Json, { strict, first }: Mode): Validator =>
  // The library ignores or throws on the rest of JSON Schema.
  new Validator(answerPatterns(strict ? closed(schema) : schema, value) as Schema, "2020-12", first);

/** Without patterns, a validator depends on no value. */
const validatorsOf = oncePer((schema: JsonObject) => ({ isReusable: !hasPatterns(schema), known: new Map<string, Validator>() }));

/** @throws if unusable */
const validated = (schema: JsonObject, value: Json, strict: boolean, first = true) => {
  const { isReusable, known } = validatorsOf(schema);
  const mode = `${strict} ${first}`;
  const validator = known.get(mode) ?? createValidator(schema, value, { strict, first });
  if (isReusable) known.set(mode, validator);

  return validator.validate(value);
};

/** Returns whether `value` matches; unusable schemas match nothing. `strict` closes objects with properties. */
export const matchesSchema = (schema: JsonObject, value: Json, strict: boolean): boolean => {
  try {
    return validated(schema, value, strict).valid;
  } catch {
    return false;
  }
};

/** Returns locations such as `#/email` of the first or every fault. */
export const findSchemaFaults = (schema: JsonObject, value: Json, everywhere = false): string[] => {
  try {
    return validated(schema, value, true, !everywhere).errors.map((fault) => fault.instanceLocation);
  } catch {
    return ["#"];
  }
};

/** Returns whether references resolve and RE2 accepts all patterns. */
export const isUsableSchema = (schema: JsonObject): boolean => {
  try {
    validated(schema, null, true);

    return true;
  } catch {
    return false;
  }
};
