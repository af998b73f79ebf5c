import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { jsonSchema } from "@/lib/json";

const count = z.number().int().min(0).max(1_000_000_000);
const usageSchema = z.strictObject({ input_tokens: count, output_tokens: count });
const usage = { usage: usageSchema.optional() };

const toolCallsSchema = z
  .array(z.strictObject({ name: z.string().min(1).max(300), input: jsonSchema.default({}) }))
  .min(1)
  .max(100);

const errorCodeSchema = z.string().min(1).max(60).brand<"script">();
export type ScriptErrorCode = z.infer<typeof errorCodeSchema>;

const stepSchema = z.union([
  z.strictObject({ text: z.string().max(200_000).optional(), tool_calls: toolCallsSchema, ...usage }),
  z.strictObject({ text: z.string().max(200_000), ...usage }),
  z.strictObject({ object: jsonSchema, ...usage }),
  z.strictObject({ error: z.strictObject({ code: errorCodeSchema, retryable: z.boolean().default(false) }), ...usage }),
]);
export type ScriptStep = z.infer<typeof stepSchema>;

export const scriptSchema = z.strictObject({ agents: z.record(idSchema, z.array(stepSchema).max(100_000)) });
export type Script = z.infer<typeof scriptSchema>;
