import { z } from "zod";

/** Why a listed tool cannot be called. */
export const UNUSABLE_REASONS = {
  name_invalid: "Its name has characters other than letters, digits, dots, dashes and underscores, or is longer than 128 characters.",
  schema_invalid: "Its definition is not one of an MCP tool: its input must be a schema of an object.",
  too_large: "Its definition is larger than 256 kB.",
  too_deep: "Its schemas are nested more than 24 levels deep.",
  not_plain_json: "Its definition has NUL characters or reserved names such as __proto__.",
  text_too_long: "Its title is longer than 500 characters.",
  listed_twice: "The server lists more than one tool of this name.",
  list_too_large: "The definitions before it fill the 8 MB that a server may list.",
} as const;

export const unusableToolSchema = z.strictObject({
  /** Quotes the server. */
  name: z.string().max(200),
  reason: z.enum(Object.keys(UNUSABLE_REASONS) as [UnusableReason, ...UnusableReason[]]),
});
export type UnusableReason = keyof typeof UNUSABLE_REASONS;
export type UnusableTool = z.infer<typeof unusableToolSchema>;
