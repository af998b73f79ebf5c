/** The database cannot add keys. */
import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { getKeys, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import { getAnchorFile, watchAnchor } from "@/server/security/anchor-file";

type Watched = { readonly read: () => Promise<TrustAnchor | null>; keys: { readonly of: TrustAnchor; readonly keys: PublicKeys } | null };

/** On `globalThis`: a web bundler may load this module twice. */
const held = Symbol.for("countersign.trust-anchor");

// A symbol property of globalThis has no type; only this uses it.
const slot = globalThis as unknown as { [held]?: Watched };

const watched = (home: string): Watched => {
  const file = getAnchorFile(home);
  const complain = (error: Error) => log().error({ file, error: error.message }, "a trust anchor is not taken");

  return { read: watchAnchor(file, complain), keys: null };
};

const anchors = (): Watched => (slot[held] ??= watched(readEnv().COUNTERSIGN_HOME));

/** Switches this process to another anchor. */
export const useTrustAnchor = (given: string | TrustAnchor): void => {
  slot[held] = typeof given === "string" ? watched(given) : { read: () => Promise.resolve(given), keys: null };
};

/** Null before the runner's first start. */
export const getTrustAnchor = (): Promise<TrustAnchor | null> => anchors().read();

/** Current and former keys; the same object while unchanged. */
export const listPublicKeys = async (): Promise<PublicKeys> => {
  const own = anchors();
  const anchor = await own.read();
  if (anchor && own.keys?.of !== anchor) own.keys = { of: anchor, keys: getKeys(anchor) };

  return own.keys?.keys ?? {};
};

/** Signed by former keys. */
export const listHandovers = async (): Promise<SignedHandover[]> => [...((await getTrustAnchor())?.handovers ?? [])];

/** Undefined before any replacement. */
export const readHandovers = async (): Promise<SignedHandover[] | undefined> => {
  const handovers = await listHandovers();

  return handovers.length === 0 ? undefined : handovers;
};
