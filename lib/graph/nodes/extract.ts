import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { pathSchema } from "@/lib/graph/path";

const text = z.string().min(1).max(200);

/** What a field of an extract may be. Everything but `text` has a bounded number of values or a form of its own. */
export const extractValueSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("enum"), values: z.array(text).min(1).max(100) }),
  z.strictObject({ type: z.literal("integer"), min: z.number().int(), max: z.number().int() }),
  z.strictObject({ type: z.literal("number"), min: z.number(), max: z.number() }),
  z.strictObject({ type: z.literal("boolean") }),
  /** `2026-11-22`. */
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

/**
 * A model in quarantine: it is shown one value and nothing else, has no tools, no memory and no history, and may only fill
 * in this form. What it says is as untrusted as what it read.
 */
export const extractConfigSchema = z.strictObject({
  agent_id: idSchema,
  from: pathSchema,
  fields: z.array(fieldSchema).max(50),
  instructions: z.string().max(20_000).default(""),
  /** Where the form goes, as an object by field name. Absent: the only write key. */
  write_to: pathSchema.optional(),
});
