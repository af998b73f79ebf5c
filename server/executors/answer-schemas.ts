import { verdictSchema } from "@/lib/engine/approvals/case";
import type { ExtractField, ExtractValue } from "@/lib/graph/kinds/extract";
import type { Json, JsonObject } from "@/lib/json";

const closed = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties,
  required: [...required],
  additionalProperties: false,
});

const SENTENCE = { type: "string" };

/** @param most highest score */
export const describeScore = (most?: number): JsonObject =>
  closed({ score: { type: "number", minimum: 0, ...(most === undefined ? {} : { maximum: most }) }, reason: SENTENCE }, ["score"]);

export const describeChoice = (choices: readonly string[]): JsonObject =>
  closed({ next: { type: "string", enum: [...choices] }, reasoning: SENTENCE }, ["next"]);

const OFFSET = { type: ["integer", "null"] };

/** @param codes declared findings */
export const describeVerdict = (codes: readonly string[]): JsonObject =>
  closed(
    {
      verdict: { type: "string", enum: [...verdictSchema.options] },
      findings: {
        type: "array",
        // An empty enum is no schema.
        items: closed({ code: codes.length === 0 ? SENTENCE : { type: "string", enum: [...codes] }, start: OFFSET, end: OFFSET }, ["code"]),
      },
      comment: SENTENCE,
    },
    ["verdict"],
  );

/** @param options allowed votes; null abstains. Absent: any value */
export const describeVote = (options: readonly Json[] | undefined): JsonObject =>
  closed({ vote: options ? { enum: [...options, null] } : {} });

export const describeIndex = (count: number): JsonObject => closed({ choice: { type: "integer", minimum: 0, maximum: count - 1 } });

const describeField = (rule: ExtractValue): JsonObject => {
  switch (rule.type) {
    case "enum":
      return { type: "string", enum: [...rule.values] };
    case "integer":
    case "number":
      return { type: rule.type, minimum: rule.min, maximum: rule.max };
    case "boolean":
      return { type: "boolean" };
    case "date":
    case "email":
      return { type: "string", format: rule.type };
    case "text":
      return { type: "string", maxLength: rule.max_length };
    case "url":
      return { type: "string", format: "uri" };
    case "path":
      return { type: "string" };
    default:
      return rule satisfies never;
  }
};

/** Describes a form; the control plane checks more than a schema can say. */
export const describeForm = (fields: readonly ExtractField[]): JsonObject =>
  closed(
    Object.fromEntries(
      fields.map(({ name, description, value }) => [name, { ...describeField(value), ...(description === "" ? {} : { description }) }]),
    ),
    fields.filter(({ required }) => required).map(({ name }) => name),
  );

export const FACT_LIST: JsonObject = { type: "array", items: SENTENCE };
