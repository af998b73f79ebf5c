/** The vault of the web process: it opens cells for those who may see them, and seals commands. */
import { env } from "@/server/env";
import { loadVault, type Vault } from "@/server/security/vault";

let vault: Vault | null = null;

export const webVault = (): Vault => (vault ??= loadVault(env().COUNTERSIGN_HOME));
