/** Reads the two fields that agents need. */
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";

export type Outlook = {
  readonly actions: readonly string[];
  readonly schemas: JsonObject;
  readonly session: string | null;
  readonly run: string | null;
  /** Stable error code. */
  readonly error: string | null;
};

const member = (value: Json | undefined, name: string): Json | undefined => (isJsonObject(value) ? ownMember(value, name) : undefined);
const firstItem = (value: Json | undefined): Json | undefined => (Array.isArray(value) ? value.map((item: Json) => item)[0] : undefined);
const textOf = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);

/** @returns null unless it is a tool's answer */
export const readOutlook = (response: Json): Outlook | null => {
  const content = member(member(response, "result"), "structuredContent");
  const actions = member(content, "valid_next_actions");
  if (!Array.isArray(actions)) return null;
  const schemas = member(content, "next_action_schemas");

  return {
    actions: actions.filter((action) => typeof action === "string"),
    schemas: isJsonObject(schemas) ? schemas : {},
    session: textOf(member(content, "session")),
    run: textOf(member(content, "app_id")),
    error: textOf(member(content, "error")),
  };
};

const BEGINNINGS: Readonly<Record<string, Json>> = { string: "", integer: 0, number: 0, boolean: false, array: [], object: {} };

/** Example of each named input. */
const exampleOf = (schema: Json | undefined): Json => {
  const given = member(schema, "default") ?? firstItem(member(schema, "enum"));
  if (given !== undefined) return given;
  const type = textOf(member(schema, "type"));

  return (type === null ? null : BEGINNINGS[type]) ?? null;
};

export const createDraftInputs = (schema: Json | undefined): JsonObject => {
  const properties = member(schema, "properties");

  return isJsonObject(properties) ? Object.fromEntries(Object.entries(properties).map(([name, input]) => [name, exampleOf(input)])) : {};
};
