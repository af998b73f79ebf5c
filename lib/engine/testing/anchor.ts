import { hexToBytes } from "@noble/hashes/utils.js";
import { computeHandoverDigest, type SignedHandover } from "@/lib/engine/ledger/handover";
import { createAnchor, computeKid, withHandover, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { newKey, type TestKey } from "@/lib/engine/testing/ledger";

export const anchoredKey = async (): Promise<TestKey> => {
  const key = await newKey("");

  return { ...key, kid: computeKid(key.public) };
};

type Signed = {
  readonly by?: TestKey;
  readonly counterBy?: TestKey;
};

export const handoverBetween = async (from: TestKey, to: TestKey, at: number, { by = from, counterBy = to }: Signed = {}) => {
  const statement = { from: from.kid, to: to.kid, to_key: to.public, at };
  const digest = hexToBytes(computeHandoverDigest(statement));

  return { statement, signature: await by.sign(digest), countersignature: await counterBy.sign(digest) } satisfies SignedHandover;
};

/** Key n exists from n · 1000 to n · 1000 + 500. */
export const anchorOfKeys = async (first: TestKey, ...later: readonly TestKey[]): Promise<TrustAnchor> => {
  let anchor = createAnchor({ kid: first.kid, public_key: first.public, since: 0 });
  let old = first;
  for (const [index, key] of later.entries()) {
    const since = (index + 1) * 1_000;
    anchor = withHandover(anchor, await handoverBetween(old, key, since + 500), since);
    old = key;
  }

  return anchor;
};
