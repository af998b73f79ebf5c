import { isJsonObject, jsonSchema, type Json } from "@/lib/json";
import { ARTIFACT_FORMAT, MOST_NAME } from "@/lib/artifact";

const TYPE = /^[a-z]+\/(?:\*|[a-z0-9.+-]+)$/u;

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each) => typeof each === "string") : []);

export const isArtifactSchema = (schema: Readonly<Record<string, unknown>>): boolean => schema["format"] === ARTIFACT_FORMAT;

export const isMediaType = (text: string): boolean => TYPE.test(text);

/** Such as `image/*`; empty: all. */
export const listMediaTypes = (schema: Readonly<Record<string, unknown>>): readonly string[] =>
  texts(schema["x-media-types"]).filter(isMediaType);

const typeSchema = (types: readonly string[]): object => {
  const exact = types.filter((type) => !type.endsWith("/*"));
  const families = types.filter((type) => type.endsWith("/*")).map((type) => ({ pattern: `^${type.slice(0, -1)}` }));

  return types.length === 0 ? { type: "string" } : { type: "string", anyOf: [{ enum: exact }, ...families] };
};

export const expandArtifact = (schema: Record<string, unknown>): Record<string, unknown> => {
  if (!isArtifactSchema(schema)) return schema;
  const { format: _format, "x-media-types": _types, ...others } = schema;

  return {
    ...others,
    type: "object",
    properties: {
      $artifact: { type: "string", pattern: "^[0-9a-f]{64}$" },
      id: { type: "string", pattern: "^[0-9a-f-]{36}$" },
      mediaType: typeSchema(listMediaTypes(schema)),
      size: { type: "integer", minimum: 1 },
      name: { type: "string", minLength: 1, maxLength: MOST_NAME },
    },
    required: ["$artifact", "id", "mediaType", "size", "name"],
    additionalProperties: false,
  };
};

export const expandArtifacts = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(expandArtifacts);
  if (!isJsonObject(schema)) return schema;

  return jsonSchema.parse(expandArtifact(Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, expandArtifacts(part)]))));
};
