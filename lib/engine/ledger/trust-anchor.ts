/** Signing keys kept outside the database; both keys sign each hand-over. */
import { z } from "zod";
import { sha256Text } from "@/lib/sha256";
import { computeHandoverDigest, signedHandoverSchema, type Retired, type SignedHandover } from "@/lib/engine/ledger/handover";
import { verifyDigest, type PublicKeys } from "@/lib/engine/ledger/signature";

const MOST_KEYS = 1_000;

const anchoredKeySchema = z.strictObject({
  kid: z.string().max(64),
  /** Raw Ed25519 key, base64url. */
  public_key: z.string().max(64),
  /** ms since 1970: earliest signature. */
  since: z.number().int().min(0),
});
export type AnchoredKey = z.infer<typeof anchoredKeySchema>;

/** `keys`: oldest first; `handovers`: between neighbours. */
export const trustAnchorSchema = z.strictObject({
  v: z.literal(1),
  keys: z.array(anchoredKeySchema).min(1).max(MOST_KEYS),
  handovers: z.array(signedHandoverSchema).max(MOST_KEYS - 1),
});
export type TrustAnchor = z.infer<typeof trustAnchorSchema>;

/** `kid`: not the key's hash. `chain`: unlinked. `order`: times not ascending. */
export type AnchorFault = "kid" | "chain" | "order" | "signature" | "countersignature";

/** Returns a prefix of the key's hash. */
export const computeKid = (publicKey: string): string => sha256Text(publicKey).slice(0, 16);

export const getKeys = ({ keys }: TrustAnchor): PublicKeys => Object.fromEntries(keys.map(({ kid, public_key }) => [kid, public_key]));

export const getRetired = ({ handovers }: TrustAnchor): Retired => new Map(handovers.map(({ statement: { from, at } }) => [from, at]));

/**
 * Returns the signing key.
 * @throws when there is none
 */
export const getCurrentKey = ({ keys }: TrustAnchor): AnchoredKey => {
  const current = keys.at(-1);
  if (!current) throw new TypeError("a trust anchor has at least one key");

  return current;
};

export const createAnchor = (key: AnchoredKey): TrustAnchor => ({ v: 1, keys: [key], handovers: [] });

const follows = ({ keys, handovers }: TrustAnchor): boolean =>
  handovers.length === keys.length - 1 &&
  new Set(keys.map(({ kid }) => kid)).size === keys.length &&
  handovers.every(
    ({ statement: { from, to, to_key } }, index) =>
      from === keys[index]?.kid && to === keys[index + 1]?.kid && to_key === keys[index + 1]?.public_key,
  );

/** A key signs after its creation, its predecessor until the hand-over. */
const isOrdered = ({ keys, handovers }: TrustAnchor): boolean =>
  keys.every(({ since }, index) => since >= (keys[index - 1]?.since ?? 0) && since <= (handovers[index - 1]?.statement.at ?? since)) &&
  handovers.every(({ statement: { at } }, index) => at >= (handovers[index - 1]?.statement.at ?? 0));

const witnessOf = ({ keys, handovers }: TrustAnchor, index: number): AnchoredKey | undefined => {
  const { legacy } = handovers[index] ?? {};
  if (legacy === undefined) return keys[index + 1];
  const at = keys.findIndex(({ kid }) => kid === legacy);

  return at > handovers.findLastIndex((handover) => handover.legacy !== undefined) ? keys[at] : undefined;
};

const handoverFault = async (anchor: TrustAnchor, index: number): Promise<AnchorFault | null> => {
  const [handover, old, witness] = [anchor.handovers[index], anchor.keys[index], witnessOf(anchor, index)];
  if (!handover || !old || !witness) return "chain";
  const digest = computeHandoverDigest(handover.statement);
  if (!(await verifyDigest(old.public_key, handover.signature, digest))) return "signature";

  return (await verifyDigest(witness.public_key, handover.countersignature ?? "", digest)) ? null : "countersignature";
};

/** Verifies every hand-over's two signatures; null: valid. */
export const verifyAnchor = async (anchor: TrustAnchor): Promise<AnchorFault | null> => {
  if (anchor.keys.some(({ kid, public_key }) => kid !== computeKid(public_key))) return "kid";
  if (!follows(anchor)) return "chain";
  if (!isOrdered(anchor)) return "order";
  const isLegacy = anchor.handovers.map(({ legacy }) => legacy !== undefined);
  // Only hand-overs older than the first anchor may lack countersignatures.
  if (isLegacy.lastIndexOf(true) > isLegacy.indexOf(false) && isLegacy.includes(false)) return "chain";
  for (const index of anchor.handovers.keys()) {
    const fault = await handoverFault(anchor, index);
    if (fault) return fault;
  }

  return null;
};

/**
 * Appends an unverified hand-over.
 * @param since earliest signature of the new key
 */
export const withHandover = ({ v, keys, handovers }: TrustAnchor, handover: SignedHandover, since: number): TrustAnchor => ({
  v,
  keys: [...keys, { kid: handover.statement.to, public_key: handover.statement.to_key, since }],
  handovers: [...handovers, handover],
});

/** Appends contiguous hand-overs that both keys signed. */
export const extendAnchor = async (anchor: TrustAnchor, offered: readonly SignedHandover[]): Promise<TrustAnchor> => {
  let extended = anchor;
  for (;;) {
    const { kid, since } = getCurrentKey(extended);
    let next: TrustAnchor | null = null;
    for (const handover of offered.filter(({ statement, legacy }) => statement.from === kid && legacy === undefined)) {
      const longer = withHandover(extended, handover, Math.max(since, handover.statement.at));
      if (longer.keys.length <= MOST_KEYS && (await verifyAnchor(longer)) === null) next ??= longer;
    }
    if (!next) return extended;
    extended = next;
  }
};

/** `older`: lacks known keys. `replaced`: unexplained. */
export type AnchorChange = "same" | "extended" | "older" | "replaced";

const isSameKey = (a: AnchoredKey | undefined, b: AnchoredKey | undefined): boolean => a?.kid === b?.kid && a?.public_key === b?.public_key;

const isWithin = (part: TrustAnchor, whole: TrustAnchor): boolean => {
  const from = whole.keys.findIndex((key) => isSameKey(key, part.keys[0]));

  return (
    from >= 0 &&
    part.keys.every((key, index) => isSameKey(key, whole.keys[from + index])) &&
    part.handovers.every(
      ({ statement }, index) =>
        computeHandoverDigest(statement) === computeHandoverDigest(whole.handovers[from + index]?.statement ?? NO_HANDOVER),
    )
  );
};

const NO_HANDOVER = { from: "", to: "", to_key: "", at: 0 };

export const explainChange = async (pinned: TrustAnchor, offered: TrustAnchor): Promise<AnchorChange> => {
  if ((await verifyAnchor(offered)) !== null) return "replaced";
  const isLater = isWithin(pinned, offered);
  if (isLater) return pinned.keys.length === offered.keys.length ? "same" : "extended";

  return isWithin(offered, pinned) ? "older" : "replaced";
};
