/** Provider keys, each sealed with its origin, so that writing a row cannot redirect it. */
import { z } from "zod";
import { getModelSecretName } from "@/lib/secrets/reference";
import { openSecret, sealSecret } from "@/server/security/secrets";
import type { Vault } from "@/server/security/vault";

const keptSchema = z.strictObject({ origin: z.string().max(2_100), key: z.string().min(1).max(2_000) });

type Place = {
  readonly workspaceId: string;
  readonly provider: string;
  readonly origin: string;
  /** Null: of all without their own. */
  readonly environment: string | null;
};

export const sealProviderKey = (
  vault: Vault,
  { workspaceId, provider, origin, environment }: Place,
  key: string,
): Uint8Array<ArrayBuffer> => sealSecret(vault, workspaceId, getModelSecretName(provider), JSON.stringify({ origin, key }), environment);

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Opens a provider key; null for another key, origin or environment. */
export const openProviderKey = (vault: Vault, { workspaceId, provider, origin, environment }: Place, sealed: Uint8Array): string | null => {
  const text = openSecret(vault, workspaceId, getModelSecretName(provider), sealed, environment);
  const kept = text === null ? null : keptSchema.safeParse(readJson(text));

  return kept?.success === true && kept.data.origin === origin ? kept.data.key : null;
};
