import { retiredBy, signedHandoverSchema, type SignedHandover } from "@/lib/engine/handover";
import type { PublicKeys } from "@/lib/engine/signature";
import { database, pool } from "@/server/db/client";

/** Every public key that ever signed here, by kid. */
export const listPublicKeys = async (): Promise<PublicKeys> => {
  const { rows } = await pool().query<{ kid: string; public_key: string }>({
    name: "public-keys",
    text: "select kid, public_key from signing_key",
  });

  return Object.fromEntries(rows.map(({ kid, public_key: publicKey }) => [kid, publicKey]));
};

/** Makes the runner's key known. A kid is the hash of its key, so the same kid is the same key. */
export const registerPublicKey = async (kid: string, publicKey: string): Promise<void> => {
  // One statement: runners that start together do this at the same moment.
  await database().signingKey.createMany({ data: [{ kid, publicKey }], skipDuplicates: true });
};

export type SigningKeyRow = {
  readonly kid: string;
  readonly publicKey: string;
  /** ms since 1970 */
  readonly knownSince: number;
  readonly retiredAt: number | null;
  readonly handover: SignedHandover | null;
};

/** Every key with what is known of it, oldest first. Whether a statement is true is for whoever reads it to check. */
export const listSigningKeys = async (): Promise<SigningKeyRow[]> => {
  const rows = await database().signingKey.findMany({ orderBy: [{ createdAt: "asc" }, { kid: "asc" }] });

  return rows.map(({ kid, publicKey, createdAt, retiredAt, handover }) => ({
    kid,
    publicKey,
    knownSince: createdAt.getTime(),
    retiredAt: retiredAt?.getTime() ?? null,
    handover: signedHandoverSchema.safeParse(handover).data ?? null,
  }));
};

/** What keys said when they handed over. */
export const listHandovers = async (): Promise<SignedHandover[]> => {
  const { rows } = await pool().query<{ handover: unknown }>({
    name: "handovers",
    text: "select handover from signing_key where handover is not null order by created_at, kid",
  });

  return rows.flatMap(({ handover }) => signedHandoverSchema.safeParse(handover).data ?? []);
};

/** As a ledger carries them along: undefined while no key was ever replaced. */
export const handoversBeside = async (): Promise<SignedHandover[] | undefined> => {
  const handovers = await listHandovers();

  return handovers.length === 0 ? undefined : handovers;
};

/** A key as whoever holds it knows it: the database could say anything of it. */
export type OwnKey = { readonly kid: string; readonly publicKey: string };

/** What is stored as a key's statement, and that statement when the key signed it. */
const standingOf = async ({ kid, publicKey }: OwnKey): Promise<{ readonly stored: unknown; readonly handover: SignedHandover | null }> => {
  const stored = (await database().signingKey.findUnique({ where: { kid }, select: { handover: true } }))?.handover ?? null;
  const handover = signedHandoverSchema.safeParse(stored).data;
  const retired = await retiredBy(handover ? [handover] : [], { [kid]: publicKey });

  return { stored, handover: handover && retired.has(kid) ? handover : null };
};

/** What this key said when it handed over, or null. What it did not sign is nobody's word: it stops no runner and replaces no key. */
export const handoverOf = async (key: OwnKey): Promise<SignedHandover | null> => (await standingOf(key)).handover;

/** Keeps what a key said when it handed over, once: a second statement does not replace the first. @returns the one that stands */
export const keepHandover = async (key: OwnKey, handover: SignedHandover): Promise<SignedHandover> => {
  const before = await standingOf(key);
  if (before.handover) return before.handover;
  await pool().query(
    `update signing_key set handover = $2::jsonb, retired_at = to_timestamp($3::double precision / 1000)
     where kid = $1 and handover is not distinct from $4::jsonb`,
    [key.kid, JSON.stringify(handover), handover.statement.at, before.stored === null ? null : JSON.stringify(before.stored)],
  );
  const standing = await handoverOf(key);
  if (!standing) throw new Error(`there is no signing key ${key.kid}`);

  return standing;
};
