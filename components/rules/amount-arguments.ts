import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";

/** `cents`: whole hundredths, by the schema's format. */
export type Argument = { readonly path: string; readonly cents: boolean };

const MOST_DEPTH = 4;

const typesOf = (schema: JsonObject): readonly Json[] => [ownMember(schema, "type") ?? []].flat();

/** Lists the arguments of one of the types, at any depth. Items of lists have the list's path. */
export const listArguments = (schema: Json | undefined, types: readonly string[], path: readonly string[] = []): readonly Argument[] => {
  if (!isJsonObject(schema) || path.length > MOST_DEPTH) return [];
  const items = ownMember(schema, "items");
  const properties = ownMember(schema, "properties");
  const inside = isJsonObject(properties)
    ? Object.entries(properties).flatMap(([name, property]) => (name.includes(".") ? [] : listArguments(property, types, [...path, name])))
    : [];
  const own = path.length > 0 && typesOf(schema).some((type) => typeof type === "string" && types.includes(type));

  return [
    ...(own ? [{ path: path.join("."), cents: ownMember(schema, "format") === "money-cents" }] : []),
    ...listArguments(items, types, path),
    ...inside,
  ];
};
