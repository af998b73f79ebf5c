import { listMissingLayers, type Isolation } from "@/lib/mcp/isolation";
import { createCheck, type Check } from "@/lib/checks";
import { findKeyMismatch } from "@/server/runner/key-check";
import { loadAnchor } from "@/server/security/anchor-file";
import { loadSigner } from "@/server/security/keyring";
import { loadVault } from "@/server/security/vault";

const readable = <T>(load: () => T): T | null => {
  try {
    return load();
  } catch {
    return null;
  }
};

export const checkKeys = async (home: string, isConnected: boolean): Promise<readonly Check[]> => {
  const signer = readable(() => loadSigner(home));
  const vault = readable(() => loadVault(home));
  const anchor = await loadAnchor(home).catch(() => null);
  const missing = [
    ...(signer ? [] : ["keys/signing.key"]),
    ...(vault ? [] : ["keys/vault.key"]),
    ...(anchor ? [] : ["keys/trust-anchor.json"]),
  ];
  if (!signer || !vault || !anchor) return missing.map((file) => createCheck("keys_unreadable", { file }));
  if (!isConnected) return [createCheck("keys_not_compared")];
  const sentence = await findKeyMismatch(home, signer, vault);

  return [
    sentence === null
      ? createCheck("keys_ok", { kid: signer.kid })
      : createCheck("keys_foreign", { file: sentence.split(" ", 1)[0] ?? "" }),
  ];
};

export const checkSandbox = (isolation: Isolation, isOff: boolean): Check => {
  if (isOff) return createCheck("sandbox_off");
  const missing = listMissingLayers(isolation);

  return missing.length === 0 ? createCheck("sandbox_ok") : createCheck("sandbox_missing", { layers: missing.join(", ") });
};
