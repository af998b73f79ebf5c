/** Names of what the secret store keeps. Settings hold a name and never a value; no answer has the value either. */
import { z } from "zod";

/** A name that people choose. */
const CHOSEN = /^[a-z0-9][a-z0-9_-]{0,59}$/;
/** What a form keeps for itself: the key of a provider, or one field of an MCP server. */
const KEPT = /^(?:model:[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}|mcp:[a-zA-Z][a-zA-Z0-9_-]{0,63}:[a-zA-Z0-9_-]{1,100})$/;

export const chosenSecretNameSchema = z.string().regex(CHOSEN, "Use lower-case letters, digits, - and _.");
export const secretNameSchema = z
  .string()
  .max(200)
  .refine((name) => CHOSEN.test(name) || KEPT.test(name), "This is no name of a secret.");
export const secretReferenceSchema = z.strictObject({ secret: secretNameSchema });

export const modelSecretName = (provider: string): string => `model:${provider}`;
export const mcpSecretName = (server: string, field: string): string => `mcp:${server}:${field}`;

/** What is kept for one provider or server is that one's alone; what people named, everybody may refer to. */
export const mayReferTo = (owner: "model" | "mcp", id: string, name: string): boolean =>
  CHOSEN.test(name) || name === `${owner}:${id}` || name.startsWith(`${owner}:${id}:`);

/** Shorter values could not be found and taken out of answers without hurting what has nothing to do with them. */
const MIN_SECRET_CHARS = 8;
const MAX_SECRET_CHARS = 8_192;
export const secretValueSchema = z
  .string()
  .min(MIN_SECRET_CHARS, `A secret has at least ${MIN_SECRET_CHARS} characters.`)
  .max(MAX_SECRET_CHARS)
  .refine((value) => !value.includes("\0") && value.isWellFormed(), "A secret is text without NUL characters.");
