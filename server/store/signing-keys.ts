import type { PublicKeys } from "@/lib/engine/signature";
import { database } from "@/server/db/client";

/** Every public key that ever signed here, by kid. */
export const listPublicKeys = async (): Promise<PublicKeys> => {
  const keys = await database().signingKey.findMany({ select: { kid: true, publicKey: true } });

  return Object.fromEntries(keys.map((key) => [key.kid, key.publicKey]));
};

/** Makes the runner's key known. A kid is the hash of its key, so the same kid is the same key. */
export const registerPublicKey = async (kid: string, publicKey: string): Promise<void> => {
  await database().signingKey.upsert({ where: { kid }, create: { kid, publicKey }, update: {} });
};
