import { readEnv } from "@/server/env";
import { loadVault, type Vault } from "@/server/security/vault";

let vault: Vault | null = null;

export const getWebVault = (): Vault => (vault ??= loadVault(readEnv().COUNTERSIGN_HOME));
