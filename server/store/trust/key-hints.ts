/** Handover hints between machines; forgeable, so both keys must sign, and no hint introduces a key. */
import { signedHandoverSchema, type SignedHandover } from "@/lib/engine/ledger/handover";
import { createAnchor, extendAnchor } from "@/lib/engine/ledger/trust-anchor";
import { getDatabase } from "@/server/db/client";

export type OwnKey = { readonly kid: string; readonly publicKey: string };

export type KeyHint = OwnKey & {
  /** ms since 1970 */
  readonly knownSince: number;
  /** Null also when malformed. */
  readonly handover: SignedHandover | null;
};

type Row = OwnKey & { readonly createdAt: Date; readonly handover: unknown };

const hintOf = ({ kid, publicKey, createdAt, handover }: Row): KeyHint => ({
  kid,
  publicKey,
  knownSince: createdAt.getTime(),
  handover: signedHandoverSchema.safeParse(handover).data ?? null,
});

const MOST = 1_000;

/** All hints, oldest first, unverified. */
export const listKeyHints = async (): Promise<readonly KeyHint[]> => {
  const rows = await getDatabase().keyHint.findMany({ orderBy: [{ createdAt: "asc" }, { kid: "asc" }], take: MOST });

  return rows.map(hintOf);
};

/** `believed`: signed by both keys. */
export type Hint = { readonly stored: SignedHandover | null; readonly believed: SignedHandover | null };

/** This key's hint; unsigned ones stop no runner. */
export const hintAbout = async ({ kid, publicKey }: OwnKey): Promise<Hint> => {
  const row = await getDatabase().keyHint.findUnique({ where: { kid } });
  const stored = row && hintOf(row).handover;
  const { handovers } = await extendAnchor(createAnchor({ kid, public_key: publicKey, since: 0 }), stored ? [stored] : []);

  return { stored, believed: handovers[0] ?? null };
};

/** Announces a key's handover. */
export const hintHandover = async ({ kid, publicKey }: OwnKey, handover: SignedHandover): Promise<void> => {
  const row = { publicKey, handover };
  await getDatabase().keyHint.upsert({ where: { kid }, create: { kid, ...row }, update: row });
};

/** Removes other keys' hints. @returns the number */
export const dropOtherHints = async (kids: readonly string[]): Promise<number> => {
  const { count } = await getDatabase().keyHint.deleteMany({ where: { kid: { notIn: [...kids] } } });

  return count;
};
