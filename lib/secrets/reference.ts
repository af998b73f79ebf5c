/** Names of stored secrets. */
import { z } from "zod";

const CHOSEN = /^[a-z0-9][a-z0-9_-]{0,59}$/;
/** Reserved: a provider's key, or an MCP server's field. */
const KEPT = /^(?:model:[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}|mcp:[a-zA-Z][a-zA-Z0-9_-]{0,63}:[a-zA-Z0-9_-]{1,100})$/;

export const chosenSecretNameSchema = z.string().regex(CHOSEN, "Use lower-case letters, digits, - and _.");
const secretNameSchema = z
  .string()
  .max(200)
  .refine((name) => CHOSEN.test(name) || KEPT.test(name), "This is no name of a secret.");
export const secretReferenceSchema = z.strictObject({ secret: secretNameSchema });

export const MODEL_SECRETS = "model:";

/** Without providers' keys, which only the runner stores. */
export const webSecretNameSchema = secretNameSchema.refine(
  (name) => !name.startsWith(MODEL_SECRETS),
  "Keys of model providers are stored under Models.",
);

export const getModelSecretName = (provider: string): string => `${MODEL_SECRETS}${provider}`;
export const getMcpSecretName = (server: string, field: string): string => `mcp:${server}:${field}`;

/** Returns whether an owner may use a name. */
export const canReferTo = (owner: "model" | "mcp", id: string, name: string): boolean =>
  CHOSEN.test(name) || name === `${owner}:${id}` || name.startsWith(`${owner}:${id}:`);

/** Redacting shorter values would hit unrelated text. */
const MIN_SECRET_CHARS = 8;
const MAX_SECRET_CHARS = 8_192;
export const secretValueSchema = z
  .string()
  .min(MIN_SECRET_CHARS, `A secret has at least ${MIN_SECRET_CHARS} characters.`)
  .max(MAX_SECRET_CHARS)
  .refine((value) => !value.includes("\0") && value.isWellFormed(), "A secret is text without NUL characters.");
