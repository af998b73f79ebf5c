/** The old key signs its successor and its own retirement. */
import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { verifyDigest, type PublicKeys } from "@/lib/engine/ledger/signature";

export const handoverSchema = z.strictObject({
  /** kid of the retiring key, which signs this. */
  from: z.string().max(64),
  /** kid of the new key. */
  to: z.string().max(64),
  /** Raw Ed25519 key, base64url. */
  to_key: z.string().max(64),
  /** ms since 1970: nothing later is signed with the old key. */
  at: z.number().int().min(0),
});
export type Handover = z.infer<typeof handoverSchema>;

/** Ed25519 over the digest's 32 bytes, base64url. */
export const signedHandoverSchema = z.strictObject({
  statement: handoverSchema,
  /** By the key `from`. */
  signature: z.string().max(128),
  /** By the key `to`; absent in documents older than trust anchors. */
  countersignature: z.string().max(128).optional(),
  /** Later countersigning kid: an operator confirmed after `to` was gone. */
  legacy: z.string().max(64).optional(),
});
export type SignedHandover = z.infer<typeof signedHandoverSchema>;

/** Far above any real number. */
export const handoversSchema = z.array(signedHandoverSchema).max(1_000);

export const computeHandoverDigest = ({ from, to, to_key, at }: Handover): HexDigest => digestOf("handover", { from, to, to_key, at });

/** kid -> ms since 1970. */
export type Retired = ReadonlyMap<string, number>;

export const NOT_RETIRED: Retired = new Map();

export const isRetired = (retired: Retired, kid: string, at: number): boolean => at > (retired.get(kid) ?? Number.POSITIVE_INFINITY);

/** Returns retirements that known keys signed about themselves. */
export const collectRetired = async (handovers: readonly SignedHandover[], keys: PublicKeys): Promise<Retired> => {
  const retired = new Map<string, number>();
  for (const { statement, signature } of handovers) {
    const key = Object.hasOwn(keys, statement.from) ? keys[statement.from] : undefined;
    if (key === undefined || !(await verifyDigest(key, signature, computeHandoverDigest(statement)))) continue;
    retired.set(statement.from, Math.min(statement.at, retired.get(statement.from) ?? Number.POSITIVE_INFINITY));
  }

  return retired;
};
