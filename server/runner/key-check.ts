/** A joining runner with other keys would seal what others cannot open. */
import { loadAnchor } from "@/server/security/anchor-file";
import type { Signer } from "@/server/security/keyring";
import type { Vault } from "@/server/security/vault";
import { listKeyHints } from "@/server/store/trust/key-hints";
import { sampleCells, sampleKids } from "@/server/store/trust/signed-samples";

/** One unopenable cell may be tampered with; all of them mean another key. */
const CELLS = 5;

/** True for an unsigned database. */
const hasSigned = async (home: string, signer: Signer): Promise<boolean> => {
  const own = new Set([signer.kid, ...((await loadAnchor(home))?.keys ?? []).map(({ kid }) => kid)]);
  const kids = await sampleKids();

  return (
    kids.length === 0 ||
    kids.some((kid) => own.has(kid)) ||
    (await listKeyHints()).some(({ handover }) => handover?.statement.to === signer.kid)
  );
};

/** Returns a sentence for a person, or null when keys match or nothing exists yet. */
export const findKeyMismatch = async (home: string, signer: Signer, vault: Vault): Promise<string | null> => {
  if (!(await hasSigned(home, signer))) {
    return "keys/signing.key does not belong to this database: nothing in it is signed with that key, and no key handed over to it.";
  }
  const cells = await sampleCells(CELLS);
  const isOpened = cells.some(
    ({ sealed, wrappedKey, ...place }) =>
      vault.openCell(place, { sealed: Uint8Array.from(sealed), wrappedKey: Uint8Array.from(wrappedKey) }) !== "unreadable",
  );

  return cells.length > 0 && !isOpened ? "keys/vault.key does not belong to this database: it opens nothing that is stored in it." : null;
};
