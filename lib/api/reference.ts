import type { Json, JsonObject } from "@/lib/json";
import { getChoices, getLiterals, getPart, getProperties, getReferenceName, getTypes, type ApiOperation } from "./openapi-reader";

export type TypeWord = { readonly text: string; readonly reference?: string };

export type FieldRow = {
  /** `passkey.credentials[].id` in a nested object. */
  readonly name: string;
  readonly type: readonly TypeWord[];
  readonly isRequired: boolean;
  readonly about: string;
};

const join = (types: readonly (readonly TypeWord[])[]): TypeWord[] =>
  types.flatMap((type, index) => (index === 0 ? type : [{ text: " or " }, ...type]));

const describePlain = (type: string, { format }: JsonObject): string => (type === "string" && format === "uuid" ? "UUID" : type);

export const describeType = (schema: JsonObject): readonly TypeWord[] => {
  const reference = getReferenceName(schema);
  if (reference !== null) return [{ text: reference, reference }];
  const literals = getLiterals(schema);
  if (literals) return [{ text: literals.map((value) => (value === null ? "null" : JSON.stringify(value))).join(" | ") }];
  const choices = getChoices(schema);
  if (choices.length > 0) return join(choices.map(describeType));
  const types = getTypes(schema);
  if (types.length === 0) return [{ text: "any JSON" }];
  if (types[0] === "array") return [{ text: "array of " }, ...describeType(getPart(schema, "items"))];
  if (types[0] === "object" && !("properties" in schema) && schema["additionalProperties"] !== false)
    return [{ text: "object of " }, ...describeType(getPart(schema, "additionalProperties"))];

  return [{ text: types.map((type) => describePlain(type, schema)).join(" or ") }];
};

/** Of an object inside: direct, in an array or in a union. */
const listInner = (schema: JsonObject, name: string): readonly FieldRow[] => {
  if ("properties" in schema) return listFields(schema, `${name}.`);
  if (getTypes(schema)[0] === "array") return listInner(getPart(schema, "items"), `${name}[]`);
  const choices = getChoices(schema).flatMap((choice) => listInner(choice, name));

  return choices.filter((field, index) => choices.findIndex((other) => other.name === field.name) === index);
};

export const listFields = (schema: JsonObject, prefix = ""): readonly FieldRow[] =>
  getProperties(schema).flatMap(({ name, schema: part, isRequired, about }) => {
    const range = "default" in part ? `Default: ${JSON.stringify(part["default"])}.` : "";
    const row = { name: `${prefix}${name}`, type: describeType(part), isRequired, about: [about, range].filter(Boolean).join(" ") };

    return [row, ...listInner(part, `${prefix}${name}`)];
  });

const EXAMPLE_UUID = "00000000-0000-4000-8000-000000000000";

const exampleOf = (schema: JsonObject): Json => {
  const literals = getLiterals(schema);
  if (literals) return literals[0] ?? null;
  const [choice] = getChoices(schema);
  if (choice) return exampleOf(choice);
  if ("properties" in schema) return buildExample(schema);
  const { pattern, format, minimum } = schema;
  switch (getTypes(schema)[0]) {
    case "string":
      return format === "uuid" ? EXAMPLE_UUID : pattern === "^[0-9a-f]{64}$" ? "0".repeat(64) : "text";
    case "integer":
    case "number":
      return typeof minimum === "number" ? Math.max(minimum, 0) : 0;
    case "boolean":
      return false;
    case "array":
      return [exampleOf(getPart(schema, "items"))];
    case undefined:
    default:
      return {};
  }
};

/** Required members only. */
export const buildExample = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    getProperties(schema).flatMap(({ name, schema: part, isRequired }) =>
      isRequired || Object.keys(part).every((key) => key === "description") ? [[name, exampleOf(part)]] : [],
    ),
  );

const toVariable = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "_").toUpperCase();

export const buildCurl = ({ method, path, body, answer }: ApiOperation): string => {
  const address = path.replaceAll(/\{(\w+)\}/gu, (_all, name: string) => `$${toVariable(name)}`);
  const isStream = answer.media === "text/event-stream";

  return [
    `curl -sS${isStream ? "N" : ""} --fail-with-body "$COUNTERSIGN_URL${address}"`,
    '-H "Authorization: Bearer $COUNTERSIGN_TOKEN"',
    ...(method === "POST" && body
      ? ['-H "Content-Type: application/json"', '-H "Idempotency-Key: $(uuidgen)"', `-d '${JSON.stringify(buildExample(body))}'`]
      : []),
  ].join(" \\\n  ");
};
