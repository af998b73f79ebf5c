import { z } from "zod";
import { FIELDS, type FieldMeta } from "@/lib/graph/field";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import type { DescribeField } from "./comments";

export type Row = { readonly name: string; readonly type: string; readonly fallback: string; readonly description: string };

const membersOf = (value: Json | undefined): readonly (readonly [string, Json])[] => (isJsonObject(value) ? Object.entries(value) : []);
const branchesOf = (schema: JsonObject): readonly JsonObject[] =>
  [schema["anyOf"], schema["oneOf"]].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : []));

export const withDescriptions = (schema: Json, describe: DescribeField): Json => {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map((item) => withDescriptions(item, describe));
  if (!isJsonObject(schema)) return schema;
  const names = Object.keys((schema["properties"] ?? {}) as JsonObject);
  const entries = Object.entries(schema).map(([key, value]): [string, Json] => {
    if (key === "default" || key === "const" || key === "enum") return [key, value];
    if (key !== "properties") return [key, withDescriptions(value, describe)];
    const fields = membersOf(value).map(([name, field]): [string, Json] => {
      const description = describe(name, names);
      const inner = withDescriptions(field, describe);

      // Labelled fields say all there is to say.
      return [name, isJsonObject(inner) && !("title" in inner) && description !== "" ? { description, ...inner } : inner];
    });

    return [key, Object.fromEntries(fields)];
  });

  return Object.fromEntries(entries);
};

/** Joins the help with what each choice and an absent value mean. */
const getHelp = ({ description, choices, none }: FieldMeta): string =>
  [
    ...(description === undefined ? [] : [description]),
    ...(choices
      ? [
          `${Object.entries(choices)
            .map(([value, label]) => `\`${value}\`: ${label}`)
            .join("; ")}.`,
        ]
      : []),
    ...(none === undefined ? [] : [`Absent: ${none}.`]),
  ].join(" ");

const STATED: readonly string[] = ["title", "description"];

/** Converts a schema with labels and help; docstrings describe unlabelled fields. */
export const convertSchema = (schema: z.ZodType, describe: DescribeField): JsonObject => {
  const converted = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    metadata: FIELDS,
    override: ({ zodSchema, jsonSchema }) => {
      const meta = FIELDS.get(zodSchema);
      if (!meta) return;
      for (const name of Object.keys(meta)) if (!STATED.includes(name)) Reflect.deleteProperty(jsonSchema, name);
      const help = getHelp(meta);
      if (help !== "") jsonSchema.description = help;
    },
  });

  return withDescriptions(JSON.parse(JSON.stringify(converted)) as Json, describe) as JsonObject;
};

const code = (text: string): string => `\`${text}\``;

const rangeOf = (schema: JsonObject): string => {
  const [low, high] = [schema["minimum"], schema["maximum"]];
  // zod bounds every integer.
  const shown = [low, high].map((bound) => (typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? String(bound) : ""));
  if (shown[0] === "" && shown[1] === "") return "";
  if (shown[1] === "") return `, at least ${shown[0] ?? ""}`;

  return shown[0] === "" ? `, at most ${shown[1] ?? ""}` : `, ${shown[0] ?? ""} to ${shown[1] ?? ""}`;
};

const typeOf = (schema: JsonObject): string => {
  if (Array.isArray(schema["enum"]) && schema["enum"].length > 0)
    return (schema["enum"] as readonly Json[]).map((value) => code(JSON.stringify(value))).join(" or ");
  if ("const" in schema) return code(JSON.stringify(schema["const"]));
  if ("$ref" in schema) return "any JSON";
  const branches = branchesOf(schema);
  if (branches.length > 0) return [...new Set(branches.map(typeOf))].join(" or ");
  const items = schema["items"];
  const { type } = schema;
  if (type === "array") return `list of ${isJsonObject(items) ? typeOf(items) : "any JSON"}`;
  if (type === "object") {
    const inner = schema["additionalProperties"];

    return "properties" in schema ? "object" : `map of ${isJsonObject(inner) ? typeOf(inner) : "any JSON"}`;
  }
  if (type === "integer" || type === "number") return `${type}${rangeOf(schema)}`;
  if (type === "string") return typeof schema["format"] === "string" ? schema["format"] : "string";
  if (typeof type === "string") return type;

  return Array.isArray(schema["enum"]) ? "string" : "any JSON";
};

const getText = (schema: JsonObject, keyword: string): string => {
  const text = schema[keyword];

  return typeof text === "string" ? text : "";
};

const tagOf = (schema: JsonObject): string => {
  const tag = ownMember(ownMember(schema["properties"], "type"), "const");

  return typeof tag === "string" ? ` (${tag})` : "";
};

const below = (schema: JsonObject, name: string): readonly Row[] => {
  if ("properties" in schema) return listRows(schema, name);
  const branches = branchesOf(schema);
  if (branches.length > 0) return branches.flatMap((branch) => below(branch, `${name}${tagOf(branch)}`));
  const items = schema["items"];
  if (isJsonObject(items)) return below(items, `${name}[]`);
  const values = schema["additionalProperties"];

  return isJsonObject(values) ? below(values, `${name}.*`) : [];
};

/** A union lists each branch. */
const listRows = (schema: JsonObject, above = ""): readonly Row[] => {
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly Json[]) : [];

  return membersOf(schema["properties"]).flatMap(([field, property]) => {
    const isTag = field === "type" && above.endsWith(")");
    if (!isJsonObject(property) || isTag) return [];
    const name = above === "" ? field : `${above}.${field}`;
    const fallback = "default" in property ? code(JSON.stringify(property["default"])) : required.includes(field) ? "required" : "none";
    const title = getText(property, "title");
    const help = getText(property, "description");
    const description = title === "" ? help : `${title}.${help === "" ? "" : ` ${help}`}`;

    return [{ name, type: typeOf(property), fallback, description }, ...below(property, name)];
  });
};

const cell = (text: string): string => text.replaceAll(/\s+/gu, " ").replaceAll("|", "\\|").trim();

export const renderTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");

/** @param columns `read`: without defaults */
export const renderFieldTable = (schema: JsonObject, columns: "all" | "read" = "all"): string => {
  const rows = listRows(schema);
  const unique = rows.filter((row, index) => rows.findIndex(({ name, type }) => name === row.name && type === row.type) === index);

  return columns === "all"
    ? renderTable(
        ["field", "type", "default", "meaning"],
        unique.map(({ name, type, fallback, description }) => [code(name), type, fallback, description]),
      )
    : renderTable(
        ["field", "type", "meaning"],
        unique.map(({ name, type, description }) => [code(name), type, description]),
      );
};
