/** Selects the keys to verify a document with: a given anchor or list, else the document's own. */
import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { extendAnchor, getKeys, verifyAnchor, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";

/** The verifier's trust; an anchor takes precedence over a list. */
export type Trusts = { readonly keys: PublicKeys | null; readonly anchor?: TrustAnchor | null };

type Carried = { readonly keys: PublicKeys; readonly handovers: readonly SignedHandover[] };

/** `handovers`: those the document may not omit. `isOwn`: only the document vouches for its keys. */
export type Trusted = Carried & { readonly isOwn: boolean };

/** Extends an older anchor by the document's hand-overs. An invalid anchor yields no keys. */
export const resolveTrusted = async ({ keys, anchor }: Trusts, carried: Carried): Promise<Trusted> => {
  if (!anchor) return { keys: keys ?? carried.keys, handovers: [], isOwn: keys === null };
  if ((await verifyAnchor(anchor)) !== null) return { keys: {}, handovers: [], isOwn: false };
  const extended = await extendAnchor(anchor, carried.handovers);

  return { keys: getKeys(extended), handovers: extended.handovers, isOwn: false };
};
