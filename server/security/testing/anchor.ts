import { mkdirSync } from "node:fs";
import path from "node:path";
import { createAnchor } from "@/lib/engine/ledger/trust-anchor";
import { writeAnchor } from "@/server/security/anchor-file";
import type { Signer } from "@/server/security/keyring";
import { useTrustAnchor } from "@/server/security/trust-anchor";

/** Writes and uses a single-key anchor. */
export const plantAnchor = async (home: string, { kid, publicKey }: Pick<Signer, "kid" | "publicKey">): Promise<void> => {
  mkdirSync(path.join(home, "keys"), { recursive: true, mode: 0o700 });
  await writeAnchor(home, createAnchor({ kid, public_key: publicKey, since: 0 }));
  useTrustAnchor(home);
};
