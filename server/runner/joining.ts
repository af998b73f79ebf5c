/** Whether the keys of a runner that joins are the ones of the database: with others it would sign and seal what nobody else opens. */
import type { Signer } from "@/server/security/keyring";
import type { Vault } from "@/server/security/vault";
import { someCells } from "@/server/store/joining";
import { listPublicKeys } from "@/server/store/signing-keys";

/** One cell that does not open may have been tampered with; all of them have another key. */
const CELLS = 5;

/** @returns a sentence for a person, or null when they fit, or when there is nothing yet that they could not fit to */
export const foreignKeys = async (signer: Pick<Signer, "kid">, vault: Vault): Promise<string | null> => {
  const known = Object.keys(await listPublicKeys());
  if (known.length > 0 && !known.includes(signer.kid)) {
    return "keys/signing.key does not belong to this database: nothing in it is signed with that key, and no key handed over to it.";
  }
  const cells = await someCells(CELLS);
  const isOpened = cells.some(
    ({ sealed, wrapped_key: wrappedKey, ...place }) =>
      vault.openCell(place, { sealed: Uint8Array.from(sealed), wrappedKey: Uint8Array.from(wrappedKey) }) !== "unreadable",
  );

  return cells.length > 0 && !isOpened ? "keys/vault.key does not belong to this database: it opens nothing that is stored in it." : null;
};
