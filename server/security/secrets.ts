/** Sealed by place, so that rows cannot be swapped. */
import { secretValueSchema } from "@/lib/secrets/reference";
import type { Vault } from "./vault";

export const getSecretPlace = (name: string): string => `secret ${name}`;

export const sealSecret = (vault: Vault, workspaceId: string, name: string, value: string): Uint8Array<ArrayBuffer> =>
  vault.sealCommand(workspaceId, getSecretPlace(name), secretValueSchema.parse(value));

/** @returns null when unopenable */
export const openSecret = (vault: Vault, workspaceId: string, name: string, sealed: Uint8Array): string | null => {
  try {
    return secretValueSchema.parse(vault.openCommand(workspaceId, getSecretPlace(name), sealed));
  } catch {
    return null;
  }
};
