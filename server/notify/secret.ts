import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Vault } from "@/server/security/vault";

const SECRET_BYTES = 32;

const secretSchema = z.string().regex(/^whsec_[A-Za-z0-9+/]{43}=$/);

export const generateWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

export const getSecretPlace = (endpointId: string): string => `webhook ${endpointId}`;

export const sealWebhookSecret = (vault: Vault, workspaceId: string, endpointId: string, secret: string): Uint8Array<ArrayBuffer> =>
  vault.sealCommand(workspaceId, getSecretPlace(endpointId), secret);

/** Opens a secret; null without its key. */
export const openWebhookSecret = (vault: Vault, workspaceId: string, endpointId: string, sealed: Uint8Array): string | null => {
  try {
    return secretSchema.parse(vault.openCommand(workspaceId, getSecretPlace(endpointId), sealed));
  } catch {
    return null;
  }
};
