import { isArtifactSchema, listMediaTypes } from "@/lib/graph/artifact-schema";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";

export type LeafControl =
  | { readonly type: "text"; readonly long: boolean; readonly format: "date" | "uri" | "email" | null }
  | { readonly type: "integer" | "number" | "json" }
  | { readonly type: "boolean" }
  | { readonly type: "file"; readonly mediaTypes: readonly string[] }
  | {
      readonly type: "choice";
      readonly options: readonly Json[];
      /** Per option; null: the option itself. */
      readonly labels: readonly (string | null)[];
    };
export type Control =
  | LeafControl
  /** One item per line. */
  | { readonly type: "list"; readonly item: LeafControl }
  | { readonly type: "group"; readonly fields: readonly SchemaField[] };

export type SchemaField = {
  readonly name: string;
  readonly place: string;
  readonly label: string;
  readonly description: string | null;
  readonly required: boolean;
  readonly schema: JsonObject;
  readonly control: Control;
};

/** Deeper groups are typed as JSON. */
const MOST_NESTED = 4;
const SHORT = 200;
/** Keywords that a simple control can't honour. */
const COMPOUND = [
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "patternProperties",
  "prefixItems",
  "dependentSchemas",
  "dependentRequired",
];

const text = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);
const isScalar = (value: Json): boolean => typeof value !== "object" || value === null;

const FORMATS = { date: "date", uri: "uri", url: "uri", email: "email" } as const;
const formatOf = (format: string | null) =>
  format !== null && Object.hasOwn(FORMATS, format) ? FORMATS[format as keyof typeof FORMATS] : null;

const textControl = (schema: JsonObject): LeafControl => {
  const most = schema["maxLength"];
  const isShort = (typeof most === "number" && most <= SHORT) || schema["pattern"] !== undefined || schema["format"] !== undefined;

  return { type: "text", long: !isShort, format: formatOf(text(schema["format"])) };
};

/** The standard's labelled enumeration: `oneOf` with constants and titles. */
const titledChoice = (schema: JsonObject): LeafControl | null => {
  const listed = schema["oneOf"];
  if (!Array.isArray(listed) || listed.length === 0) return null;
  const members = listed.flatMap((member: Json) => {
    const value = isJsonObject(member) ? member["const"] : undefined;

    return isJsonObject(member) && value !== undefined && isScalar(value) ? [{ value, title: text(member["title"]) }] : [];
  });
  if (members.length !== listed.length || COMPOUND.some((keyword) => keyword !== "oneOf" && keyword in schema)) return null;

  return { type: "choice", options: members.map(({ value }) => value), labels: members.map(({ title }) => title) };
};

const leafOf = (schema: JsonObject): LeafControl => {
  if (isArtifactSchema(schema)) return { type: "file", mediaTypes: listMediaTypes(schema) };
  const fixed = schema["const"];
  const listed = schema["enum"];
  if (fixed !== undefined) return { type: "choice", options: [fixed], labels: [null] };
  if (Array.isArray(listed) && listed.length > 0 && listed.every(isScalar)) {
    return { type: "choice", options: listed, labels: listed.map(() => null) };
  }
  const titled = titledChoice(schema);
  if (titled) return titled;
  if (COMPOUND.some((keyword) => keyword in schema)) return { type: "json" };
  const type = text(schema["type"]);
  if (type === "string") return textControl(schema);

  if (type === "boolean") return { type };

  return type === "integer" || type === "number" ? { type } : { type: "json" };
};

const listOf = (schema: JsonObject): Control => {
  const items: Json | undefined = schema["items"];
  const item = isJsonObject(items) ? leafOf(items) : null;
  const isPlain = schema["type"] === "array" && schema["contains"] === undefined && !COMPOUND.some((keyword) => keyword in schema);

  return isPlain && item && !["json", "boolean", "file"].includes(item.type) ? { type: "list", item } : { type: "json" };
};

const controlOf = (schema: JsonObject, place: string, depth: number): Control => {
  const leaf = leafOf(schema);
  if (leaf.type !== "json") return leaf;
  const isGroup = schema["type"] === "object" && isJsonObject(schema["properties"]) && !COMPOUND.some((keyword) => keyword in schema);
  // Open-ended names need JSON.
  const isOpen = schema["additionalProperties"] !== undefined && schema["additionalProperties"] !== false;
  if (!isGroup || isOpen || depth >= MOST_NESTED) return listOf(schema);

  return { type: "group", fields: fieldsIn(schema, place, depth + 1) };
};

const segment = (name: string): string => encodeURI(name.replaceAll("~", "~0").replaceAll("/", "~1"));

const fieldsIn = (schema: JsonObject, place: string, depth: number): readonly SchemaField[] => {
  const properties: Json | undefined = schema["properties"];
  const required: Json | undefined = schema["required"];
  if (!isJsonObject(properties)) return [];

  const fields = Object.entries(properties).flatMap(([name, member]): SchemaField[] => {
    // `true` allows anything, `false` nothing.
    if (member === false) return [];
    const own = isJsonObject(member) ? member : {};
    const at = `${place}/${segment(name)}`;

    return [
      {
        name,
        place: at,
        label: text(own["title"]) ?? name,
        description: text(own["description"]),
        required: Array.isArray(required) && required.includes(name),
        schema: own,
        control: controlOf(own, at, depth),
      },
    ];
  });

  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
};

/** Null: open schema without properties, typed as one JSON object. */
export const listSchemaFields = (inputs: JsonObject): readonly SchemaField[] | null => {
  const fields = fieldsIn(inputs, "#", 0);
  const isClosed = inputs["additionalProperties"] === false || isJsonObject(inputs["properties"]);

  return fields.length > 0 || isClosed ? fields : null;
};
