/** Conversation of a visit. */
import { z } from "zod";
import { jsonSchema } from "@/lib/json";

export const MOST_CALLS = 100;

/** Kept beside the conversation: no model is told it again. */
export const MAX_REASONING_CHARACTERS = 20_000;
export const reasoningSchema = z.string().min(1).max(MAX_REASONING_CHARACTERS);

export const toolCallSchema = z.strictObject({
  id: z.string().min(1).max(128),
  /** As written by the model: `server__tool`, an action type, or anything hostile. */
  name: z.string().max(300),
  input: jsonSchema,
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** Replaced arguments, or why the call was not made. */
export const byPersonSchema = z.strictObject({
  changed_arguments: jsonSchema.exactOptional(),
  note: z.string().max(2_000).exactOptional(),
});
export type ByPerson = z.infer<typeof byPersonSchema>;

export const threadMessageSchema = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.literal("assistant"),
    text: z.string(),
    tool_calls: z.array(toolCallSchema).max(MOST_CALLS),
    /** Cut off at the length limit, so no answer yet. */
    truncated: z.literal(true).exactOptional(),
  }),
  z.strictObject({
    role: z.literal("tool"),
    call_id: z.string().max(128),
    name: z.string().max(300),
    status: z.enum(["ok", "tool_error", "refused", "rejected"]),
    result: jsonSchema,
    by_person: byPersonSchema.exactOptional(),
  }),
  z.strictObject({ role: z.literal("person"), text: z.string().max(2_000) }),
  /** Our words on what did not fit an answer. */
  z.strictObject({ role: z.literal("check"), text: z.string().max(4_000) }),
]);
export type ThreadMessage = z.infer<typeof threadMessageSchema>;
