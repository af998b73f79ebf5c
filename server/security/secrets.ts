/** Sealed by place, so that rows cannot be swapped. */
import { secretValueSchema } from "@/lib/secrets/reference";
import type { Vault } from "./vault";

/** Names and ids contain no space. */
export const getSecretPlace = (name: string, environment: string | null = null): string =>
  `secret ${name}${environment === null ? "" : ` in ${environment}`}`;

export const sealSecret = (
  vault: Vault,
  workspaceId: string,
  name: string,
  value: string,
  environment: string | null = null,
): Uint8Array<ArrayBuffer> => vault.sealCommand(workspaceId, getSecretPlace(name, environment), secretValueSchema.parse(value));

/** @returns null when unopenable */
export const openSecret = (
  vault: Vault,
  workspaceId: string,
  name: string,
  sealed: Uint8Array,
  environment: string | null = null,
): string | null => {
  try {
    return secretValueSchema.parse(vault.openCommand(workspaceId, getSecretPlace(name, environment), sealed));
  } catch {
    return null;
  }
};
