/** Edits a JSON Schema as form rows; keeps keywords that no row shows. */
import { ARTIFACT_FORMAT } from "@/lib/artifact";
import { isArtifactSchema } from "@/lib/graph/artifact-schema";
import { FORBIDDEN_KEYS, isJsonObject, type Json, type JsonObject } from "@/lib/json";

export const ROW_TYPES = ["text", "number", "integer", "boolean", "date", "choice", "file", "list", "object"] as const;
export type RowType = (typeof ROW_TYPES)[number];

export type Row = {
  readonly name: string;
  /** Null: only JSON can say it. */
  readonly type: RowType | null;
  readonly required: boolean;
  readonly schema: Json;
};

/** Keywords that a row cannot show. */
const COMPOUND = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "const",
  "prefixItems",
  "contains",
  "patternProperties",
  "dependentSchemas",
  "dependentRequired",
];

const FIRST: { readonly [T in RowType]: JsonObject } = {
  text: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  choice: { type: "string", enum: ["yes", "no"] },
  file: { type: "object", format: ARTIFACT_FORMAT },
  list: { type: "array", items: { type: "string" } },
  object: { type: "object", properties: {} },
};

/** Any type has them. */
const KEPT = ["title", "description"];

const isNameList = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((item: Json) => typeof item === "string");

const without = (object: JsonObject, name: string): JsonObject => {
  const { [name]: _gone, ...rest } = object;

  return rest;
};

const set = (object: JsonObject, name: string, value: Json | undefined): JsonObject =>
  value === undefined ? without(object, name) : { ...object, [name]: value };

const hasReadableMembers = ({ properties, required }: JsonObject): boolean =>
  (properties === undefined || isJsonObject(properties)) && (required === undefined || isNameList(required));

/** Null: only JSON can say it. */
export const getRowType = (schema: Json): RowType | null => {
  if (!isJsonObject(schema) || COMPOUND.some((keyword) => keyword in schema)) return null;
  const { type, enum: choices, items, format } = schema;
  if (isArtifactSchema(schema)) return "file";
  if (choices !== undefined) return type === "string" && isNameList(choices) ? "choice" : null;
  if (type === "string") return format === "date" ? "date" : "text";
  if (type === "number" || type === "integer" || type === "boolean") return type;
  if (type === "array") return isJsonObject(items) ? "list" : null;

  return type === "object" && hasReadableMembers(schema) ? "object" : null;
};

const getProperties = ({ properties }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});
const getRequired = ({ required }: JsonObject): readonly string[] => (isNameList(required) ? required : []);

/** Null: only JSON can say them. */
export const readRows = (schema: Json): readonly Row[] | null => {
  if (!isJsonObject(schema) || getRowType(schema) !== "object") return null;
  const required = getRequired(schema);

  return Object.entries(getProperties(schema)).map(([name, member]) => ({
    name,
    type: getRowType(member),
    required: required.includes(name),
    schema: member,
  }));
};

const withRequired = (schema: JsonObject, names: readonly string[]): JsonObject => {
  const before = getRequired(schema);
  const isSame = names.length === before.length && names.every((name, index) => name === before[index]);
  if (isSame) return schema;

  return set(schema, "required", names.length === 0 ? undefined : names);
};

export const writeRow = (schema: JsonObject, name: string, row: Omit<Row, "type"> | null): JsonObject => {
  const members = Object.entries(getProperties(schema)).flatMap(([each, member]): [string, Json][] => {
    if (each !== name) return [[each, member]];

    return row === null ? [] : [[row.name, row.schema]];
  });
  // `required` may list names that no member has.
  const required = getRequired(schema).filter((each) => each === name || each !== row?.name);
  const others = required.filter((each) => each !== name);
  const withRow = (kept: string) => (required.includes(name) ? required.map((each) => (each === name ? kept : each)) : [...others, kept]);

  return withRequired({ ...schema, properties: Object.fromEntries(members) }, row?.required ? withRow(row.name) : others);
};

/** Adds a required text under a free name. */
export const addRow = (schema: JsonObject, suggestions: readonly string[] = []): JsonObject => {
  const properties = getProperties(schema);
  const numbered = Object.keys(properties).map((_, index) => `field_${index + 2}`);
  const name = [...suggestions, "field", ...numbered].find((each) => !Object.hasOwn(properties, each)) ?? "field";

  return withRequired({ ...schema, properties: { ...properties, [name]: FIRST.text } }, [
    ...getRequired(schema).filter((each) => each !== name),
    name,
  ]);
};

export const withType = (schema: Json, type: RowType): JsonObject => {
  const kept = isJsonObject(schema) ? Object.entries(schema).filter(([keyword]) => KEPT.includes(keyword)) : [];

  return { ...FIRST[type], ...Object.fromEntries(kept) };
};

export const getLabel = (schema: Json): string => (isJsonObject(schema) && typeof schema["title"] === "string" ? schema["title"] : "");

export const withLabel = (schema: JsonObject, label: string): JsonObject => set(schema, "title", label === "" ? undefined : label);

export const getExample = (schema: Json): Json | undefined => {
  const examples = isJsonObject(schema) ? schema["examples"] : undefined;

  return Array.isArray(examples) ? (examples as readonly Json[])[0] : undefined;
};

export const withExample = (schema: JsonObject, example: Json | undefined): JsonObject => {
  const { examples } = schema;
  const others = Array.isArray(examples) ? (examples as readonly Json[]).slice(1) : [];
  const next = example === undefined ? others : [example, ...others];

  return set(schema, "examples", next.length === 0 ? undefined : next);
};

export const findNameFault = (schema: Json, before: string, name: string): string | null => {
  if (name === "" || name.length > 200) return "1 to 200 characters.";
  if ((FORBIDDEN_KEYS as readonly string[]).includes(name)) return "This name is reserved.";

  return name !== before && isJsonObject(schema) && Object.hasOwn(getProperties(schema), name)
    ? "Another field already has this name."
    : null;
};
