import { z } from "zod";
import { MOST_ENVIRONMENTS } from "@/lib/environments/environment";
import { idSchema } from "@/lib/ids";
import { visibleNameSchema } from "@/lib/visible-name";

export const PROVIDER_KINDS = ["anthropic", "openai", "openai-compatible"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** OpenAI-compatible servers have none. */
export const OWN_BASE_URLS = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  "openai-compatible": null,
} as const satisfies Record<ProviderKind, string | null>;

/** The installation's provider ids must stay unique. */
const isReserved = (id: string): boolean => id.startsWith("scripted") || (PROVIDER_KINDS as readonly string[]).includes(id);

export const providerIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "A lower-case letter, then letters, digits and hyphens, 40 at most.")
  .refine((id) => !isReserved(id), "This name is the installation's own.");

const MAX_MODEL_CHARS = 120;

/** `<provider>:<the provider's model name>` */
export const modelIdSchema = z
  .string()
  .max(MAX_MODEL_CHARS)
  .regex(/^[a-z][a-z0-9-]{0,39}:[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/, "A name of letters, digits and . _ : / @ + -");

export const getProvider = (model: string): string => model.slice(0, Math.max(0, model.indexOf(":")));
export const ownNameOf = (model: string): string => model.slice(model.indexOf(":") + 1);

export const isScripted = (model: string): boolean => getProvider(model).startsWith("scripted");

export const providerFieldsSchema = z.strictObject({
  name: visibleNameSchema(120),
  /** Null: the first-party URL. */
  base_url: z.string().trim().min(1).max(2_000).nullable(),
  allow_local: z.boolean(),
});

export const providerSchema = z.strictObject({
  ...providerFieldsSchema.shape,
  name: z.string().trim().min(1).max(120),
  id: providerIdSchema,
  kind: z.enum(PROVIDER_KINDS),
  /** In the secret store; 0: none. */
  key_version: z.number().int().min(0),
  /** Environments with a key of their own. */
  environment_keys: z.array(idSchema).min(1).max(MOST_ENVIRONMENTS).exactOptional(),
  revision: z.number().int().min(1),
});
export type Provider = z.infer<typeof providerSchema>;

/** Printable, for use in a header. */
const KEY_FAULT = "A key is 8 to 2,000 characters without spaces.";

export const providerKeySchema = z.string().regex(/^[\x21-\x7e]{8,2000}$/, KEY_FAULT);
/** As typed; empty: none. */
export const typedProviderKeySchema = z.string().regex(/^(?:[\x21-\x7e]{8,2000})?$/, KEY_FAULT);

/** Returns the request URL; null: unknown. */
export const getBaseUrl = ({ kind, base_url: own }: Pick<Provider, "kind" | "base_url">): string | null => own ?? OWN_BASE_URLS[kind];

/** Null for invalid URLs. */
export const getOrigin = (provider: Pick<Provider, "kind" | "base_url">): string | null =>
  URL.parse(getBaseUrl(provider) ?? "")?.origin ?? null;

export const needsKey = ({ kind, key_version: version, environment_keys: keys }: Provider): boolean =>
  kind !== "openai-compatible" || version > 0 || keys !== undefined;

export const findKeyScope = ({ environment_keys: keys = [] }: Provider, environment: string | null): string | null =>
  environment !== null && keys.includes(environment) ? environment : null;

export const withEnvironmentKeys = ({ environment_keys: _before, ...provider }: Provider, keys: readonly string[]): Provider => ({
  ...provider,
  ...(keys.length === 0 ? {} : { environment_keys: keys.toSorted() }),
  revision: provider.revision + 1,
});
