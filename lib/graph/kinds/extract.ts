import { z } from "zod";
import { field } from "@/lib/graph/field";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";
import { defineKind } from "@/lib/graph/kinds/define-kind";
import { instructionsField, resultField } from "@/lib/graph/kinds/fields";
import { answerAtPath, noChoice, none, nothing, useAgent } from "@/lib/graph/kinds/parts";

const text = z.string().min(1).max(200);

/** All but `text` have a fixed form or finitely many values. */
export const extractValueSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("enum"), values: z.array(text).min(1).max(100) }),
  z.strictObject({ type: z.literal("integer"), min: z.number().int(), max: z.number().int() }),
  z.strictObject({ type: z.literal("number"), min: z.number(), max: z.number() }),
  z.strictObject({ type: z.literal("boolean") }),
  z.strictObject({ type: z.literal("date") }),
  z.strictObject({ type: z.literal("text"), max_length: z.number().int().min(1).max(20_000) }),
  z.strictObject({ type: z.literal("url") }),
  z.strictObject({ type: z.literal("email") }),
  z.strictObject({ type: z.literal("path") }),
]);
export type ExtractValue = z.infer<typeof extractValueSchema>;

const fieldSchema = z.strictObject({
  name: idSchema,
  description: z.string().max(500).default(""),
  required: z.boolean().default(true),
  value: extractValueSchema,
});
export type ExtractField = z.infer<typeof fieldSchema>;

/** Quarantined model: one value, no tools, memory or history; its form stays untrusted. */
export const extractConfigSchema = z.strictObject({
  agent_id: field(idSchema, { title: "Agent", widget: "own_agent" }),
  from: field(pathSchema, { title: "Extract from", widget: "path" }),
  fields: field(z.array(fieldSchema).max(50), { title: "Form fields" }),
  instructions: instructionsField(),
  write_to: resultField("Write form to"),
});

export const extractKind = defineKind({
  title: "Extract",
  about: "A quarantined model fills in a form about one value",
  config: extractConfigSchema,
  work: "form",
  agents: ({ agent_id: id }) => useAgent(id, "own"),
  tasks: none,
  links: [],
  reads: ({ from }) => ({ paths: [from] }),
  answer: answerAtPath,
  reports: none,
  rights: { reads: "declared", writes: "declared" },
  // Quarantined: it sees the one value and nothing else.
  isolates: () => false,
  proposes: "updates",
  editable: false,
  worksOnItems: false,
  choice: noChoice,
  facts: nothing,
  powers: ({ from, fields }) => ({ is: { rule: { from, fields } } }),
});
