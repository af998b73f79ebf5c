/** The web process's vault: opens cells for cleared readers and seals commands. */
import { env } from "@/server/env";
import { loadVault, type Vault } from "@/server/security/vault";

let vault: Vault | null = null;

export const webVault = (): Vault => (vault ??= loadVault(env().COUNTERSIGN_HOME));
