import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { closeSchema } from "@/lib/graph/json-schema";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";

/** Keywords of OpenAI's strict mode; with others it answers 400. */
const STRICT = ["type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "const", "description", "title"];

const isStrictMap = (members: Json | undefined): boolean => !isJsonObject(members) || Object.values(members).every(isStrict);

const isStrict = (schema: Json): boolean => {
  if (!isJsonObject(schema) || !Object.keys(schema).every((key) => STRICT.includes(key))) return false;
  const { type, properties, required, items, anyOf } = schema;
  if (type === undefined && anyOf === undefined) return false;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const isComplete =
    type !== "object" ||
    (schema["additionalProperties"] === false && Array.isArray(required) && names.every((name) => required.some((each) => each === name)));

  return (
    isComplete &&
    isStrictMap(properties) &&
    (type !== "array" || (items !== undefined && isStrict(items))) &&
    (!Array.isArray(anyOf) || (anyOf as readonly Json[]).every(isStrict))
  );
};

/** Providers require an object at the root. */
export const isSendable = (schema: JsonObject | undefined): schema is JsonObject => schema?.["type"] === "object";

const withFormat = (params: LanguageModelV4CallOptions, schema: JsonObject): LanguageModelV4CallOptions => {
  const strict = { strictJsonSchema: isStrict(schema) };

  return {
    ...params,
    responseFormat: { type: "json", schema: { ...schema }, name: "answer" },
    providerOptions: { ...params.providerOptions, openai: strict, openaiCompatible: strict },
  };
};

export const withResponseFormat = (model: LanguageModelV4, schema: JsonObject): LanguageModelV4 => {
  const closed = closeSchema(schema);

  return wrapLanguageModel({
    model,
    middleware: { specificationVersion: "v4", transformParams: async ({ params }) => withFormat(params, closed) },
  });
};
