/** Values of the secret store: sealed under their own name in their own workspace, so that no row opens in another's place. */
import { secretValueSchema } from "@/lib/secrets/reference";
import type { Vault } from "./vault";

/** The name that a value is sealed under. */
export const secretPlace = (name: string): string => `secret ${name}`;

export const sealSecret = (vault: Vault, workspaceId: string, name: string, value: string): Uint8Array<ArrayBuffer> =>
  vault.sealCommand(workspaceId, secretPlace(name), secretValueSchema.parse(value));

/** @returns null when no key of the vault opens it, as after a row was moved or changed */
export const openSecret = (vault: Vault, workspaceId: string, name: string, sealed: Uint8Array): string | null => {
  try {
    return secretValueSchema.parse(vault.openCommand(workspaceId, secretPlace(name), sealed));
  } catch {
    return null;
  }
};
