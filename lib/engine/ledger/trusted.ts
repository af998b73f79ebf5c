/** With which keys a document is verified: those of an anchor or a list that was given, else its own. */
import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { extendedBy, keysOf, verifyAnchor, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";

/** What somebody trusts who verifies; an anchor goes before a list. */
export type Trusts = { readonly keys: PublicKeys | null; readonly anchor?: TrustAnchor | null };

type Carried = { readonly keys: PublicKeys; readonly handovers: readonly SignedHandover[] };

/** `handovers`: what the document may not leave out. `isOwn`: only the document vouches for its keys. */
export type Trusted = Carried & { readonly isOwn: boolean };

/** An older anchor goes on along the document's hand-overs that both keys signed; one that does not verify has no keys. */
export const trustedFor = async ({ keys, anchor }: Trusts, carried: Carried): Promise<Trusted> => {
  if (!anchor) return { keys: keys ?? carried.keys, handovers: [], isOwn: keys === null };
  if ((await verifyAnchor(anchor)) !== null) return { keys: {}, handovers: [], isOwn: false };
  const extended = await extendedBy(anchor, carried.handovers);

  return { keys: keysOf(extended), handovers: extended.handovers, isOwn: false };
};
