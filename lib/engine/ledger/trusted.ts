import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { extendAnchor, getKeys, verifyAnchor, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";

export type Trusts = { readonly keys: PublicKeys | null; readonly anchor?: TrustAnchor | null };

type Carried = { readonly keys: PublicKeys; readonly handovers: readonly SignedHandover[] };

/** `isOwn`: only the document vouches for its keys. */
export type Trusted = Carried & { readonly isOwn: boolean };

/** Selects trusted keys. An invalid anchor yields none. */
export const resolveTrusted = async ({ keys, anchor }: Trusts, carried: Carried): Promise<Trusted> => {
  if (!anchor) return { keys: keys ?? carried.keys, handovers: [], isOwn: keys === null };
  if ((await verifyAnchor(anchor)) !== null) return { keys: {}, handovers: [], isOwn: false };
  const extended = await extendAnchor(anchor, carried.handovers);

  return { keys: getKeys(extended), handovers: extended.handovers, isOwn: false };
};
