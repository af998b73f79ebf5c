/**
 * Keys that sign are replaced: the old key signs that the new one goes on, and from when on it signs nothing itself. What
 * it signed before stays signed; what claims to be signed with it later was made by whoever got hold of it.
 */
import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { verifyDigest, type PublicKeys } from "@/lib/engine/ledger/signature";

export const handoverSchema = z.strictObject({
  /** kid of the key that is retired, which signs this. */
  from: z.string().max(64),
  /** The one that goes on. */
  to: z.string().max(64),
  /** Raw Ed25519 key, base64url. */
  to_key: z.string().max(64),
  /** Milliseconds since 1970: nothing later is signed with the old key. */
  at: z.number().int().min(0),
});
export type Handover = z.infer<typeof handoverSchema>;

/** Signatures are Ed25519 over the digest's 32 bytes, base64url. */
export const signedHandoverSchema = z.strictObject({
  statement: handoverSchema,
  /** By the key `from`. */
  signature: z.string().max(128),
  /** By the key `to`; absent in documents from before trust anchors. */
  countersignature: z.string().max(128).optional(),
  /** kid of the later key that countersigned in place of `to`: an operator confirmed this hand-over after `to` was gone. */
  legacy: z.string().max(64).optional(),
});
export type SignedHandover = z.infer<typeof signedHandoverSchema>;

/** Far more than anybody replaces a key. */
export const handoversSchema = z.array(signedHandoverSchema).max(1_000);

export const handoverDigest = ({ from, to, to_key, at }: Handover): HexDigest => digestOf("handover", { from, to, to_key, at });

/** kid -> from when on (ms since 1970) it signs nothing. */
export type Retired = ReadonlyMap<string, number>;

export const NOT_RETIRED: Retired = new Map();

export const isRetired = (retired: Retired, kid: string, at: number): boolean => at > (retired.get(kid) ?? Number.POSITIVE_INFINITY);

/** What known keys say of themselves. A statement that its key did not sign says nothing. */
export const retiredBy = async (handovers: readonly SignedHandover[], keys: PublicKeys): Promise<Retired> => {
  const retired = new Map<string, number>();
  for (const { statement, signature } of handovers) {
    const key = Object.hasOwn(keys, statement.from) ? keys[statement.from] : undefined;
    if (key === undefined || !(await verifyDigest(key, signature, handoverDigest(statement)))) continue;
    retired.set(statement.from, Math.min(statement.at, retired.get(statement.from) ?? Number.POSITIVE_INFINITY));
  }

  return retired;
};
