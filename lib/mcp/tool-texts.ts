/** Texts for models; pins keep the server's. */
import type { PinnedTool } from "@/lib/graph/document";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { describeHidden, removeHidden } from "@/lib/sanitize/hidden";
import { sanitizeText } from "@/lib/sanitize/text";
import { describeInstructions, listTextSigns, type TextSign } from "@/lib/sanitize/text-signs";
import type { ToolDefinition } from "./definition";

type Texts = Pick<PinnedTool, "description" | "input_schema">;

const PROSE = new Set(["description", "title", "$comment"]);

/** Names and choices keep their spelling: a call must match them. */
const cleanSchema = (value: Json): Json => {
  if (typeof value === "string") return removeHidden(value);
  if (Array.isArray(value)) return value.map((item: Json) => cleanSchema(item));
  if (!isJsonObject(value)) return value;

  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      removeHidden(name),
      typeof item === "string" && PROSE.has(name) ? sanitizeText(item) : cleanSchema(item),
    ]),
  );
};

export const cleanToolTexts = ({ description, input_schema: schema }: Texts): Texts => ({
  description: sanitizeText(description),
  input_schema: cleanSchema(schema) as JsonObject,
});

export type ToolTextSigns = { readonly hidden: readonly TextSign[]; readonly instructions: readonly TextSign[] };

export const listToolTextSigns = ({ title, description, input_schema, output_schema, annotations }: ToolDefinition): ToolTextSigns => {
  const texts = { title, description, input_schema, output_schema, annotations };

  return { hidden: listTextSigns(texts, describeHidden), instructions: listTextSigns(texts, describeInstructions) };
};
