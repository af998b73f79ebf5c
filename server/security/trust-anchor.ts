/**
 * The trust anchor of this installation: the keys under which ledgers and receipts are verified, from a file beside the
 * signing key. Nothing in the database can add a key to it.
 */
import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { keysOf, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { anchorFileOf, watchAnchor } from "@/server/security/anchor-file";

type Watched = { readonly read: () => Promise<TrustAnchor | null>; keys: { readonly of: TrustAnchor; readonly keys: PublicKeys } | null };

/** On `globalThis` because a web bundler may load this module more than once; each copy would read for itself. */
const held = Symbol.for("countersign.trust-anchor");

// A symbol property of globalThis has no declared type; this is the only place that reads or writes it.
const slot = globalThis as unknown as { [held]?: Watched };

const watched = (home: string): Watched => {
  const file = anchorFileOf(home);
  const complain = (error: Error) => log().error({ file, error: error.message }, "a trust anchor is not taken");

  return { read: watchAnchor(file, complain), keys: null };
};

const anchors = (): Watched => (slot[held] ??= watched(env().COUNTERSIGN_HOME));

/** Points this process at the anchor of another installation, or at one that is in no file: the command line, and tests. */
export const useTrustAnchor = (given: string | TrustAnchor): void => {
  slot[held] = typeof given === "string" ? watched(given) : { read: () => Promise.resolve(given), keys: null };
};

/** The anchor as it is now, or null before the runner of this installation was started for the first time. */
export const trustAnchor = (): Promise<TrustAnchor | null> => anchors().read();

/** Every public key that signs or has signed here, by kid; the same object as long as the anchor is the same. */
export const listPublicKeys = async (): Promise<PublicKeys> => {
  const own = anchors();
  const anchor = await own.read();
  if (anchor && own.keys?.of !== anchor) own.keys = { of: anchor, keys: keysOf(anchor) };

  return own.keys?.keys ?? {};
};

/** What keys signed when they handed over. */
export const listHandovers = async (): Promise<SignedHandover[]> => [...((await trustAnchor())?.handovers ?? [])];

/** As a ledger carries them along: undefined while no key was ever replaced. */
export const handoversBeside = async (): Promise<SignedHandover[] | undefined> => {
  const handovers = await listHandovers();

  return handovers.length === 0 ? undefined : handovers;
};
