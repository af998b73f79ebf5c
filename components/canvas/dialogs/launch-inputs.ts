/** The launch form of a graph, as plain fields: what its `inputs` schema says of each property. */
import { isJsonObject, jsonSchema, type Json, type JsonObject } from "@/lib/json";

export type LaunchField = {
  readonly name: string;
  readonly label: string;
  readonly description: string | null;
  readonly required: boolean;
} & (
  | { readonly type: "text" | "integer" | "number" | "boolean" | "json" }
  | { readonly type: "choice"; readonly options: readonly string[] }
);

const text = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);

const kindOf = (
  schema: JsonObject,
): { type: "text" | "integer" | "number" | "boolean" | "json" } | { type: "choice"; options: string[] } => {
  const choices: Json | undefined = schema["enum"];
  if (Array.isArray(choices)) {
    const options = choices.flatMap((option: Json) => (typeof option === "string" ? [option] : []));
    if (options.length > 0 && options.length === choices.length) return { type: "choice", options };
  }
  const type = text(schema["type"]);
  if (type === "string") return { type: "text" };

  return type === "integer" || type === "number" || type === "boolean" ? { type } : { type: "json" };
};

export const launchFields = (inputs: JsonObject): LaunchField[] => {
  const properties: Json | undefined = inputs["properties"];
  const required: Json | undefined = inputs["required"];
  if (!isJsonObject(properties)) return [];

  return Object.entries(properties).flatMap(([name, schema]): LaunchField[] => {
    if (!isJsonObject(schema)) return [];

    return [
      {
        name,
        label: text(schema["title"]) ?? name,
        description: text(schema["description"]),
        required: Array.isArray(required) && required.includes(name),
        ...kindOf(schema),
      },
    ];
  });
};

/** What a field starts with: its first choice when it must have one, otherwise nothing. */
export const initialText = (field: LaunchField): string => {
  if (field.type === "boolean") return "false";

  return field.type === "choice" && field.required ? (field.options[0] ?? "") : "";
};

/** The value of a field's text; `undefined` when it is left out, `null` never stands for that. */
const valueOf = (field: LaunchField, entered: string): Json | undefined => {
  if (entered === "") return undefined;
  if (field.type === "text" || field.type === "choice") return entered;
  if (field.type === "boolean") return entered === "true";
  if (field.type === "integer" || field.type === "number") return Number.isFinite(Number(entered)) ? Number(entered) : entered;
  try {
    return jsonSchema.parse(JSON.parse(entered));
  } catch {
    return entered;
  }
};

export const launchInputs = (fields: readonly LaunchField[], entered: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(field, entered[field.name] ?? initialText(field));

      return value === undefined ? [] : [[field.name, value]];
    }),
  );
