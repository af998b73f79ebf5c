import { loadSigner, type Signer } from "@/server/security/keyring";
import { loadVault, type Vault } from "@/server/security/vault";

export const loadRunKeys = (home: string): { readonly vault: Vault; readonly signer: Signer } => ({
  vault: loadVault(home),
  signer: loadSigner(home),
});
