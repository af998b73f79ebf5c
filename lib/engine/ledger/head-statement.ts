import { z } from "zod";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import type { Trust } from "@/lib/engine/verify/check-record";
import { isRetired } from "@/lib/engine/ledger/handover";
import { verifyDigest } from "@/lib/engine/ledger/signature";

export const headStatementSchema = z.strictObject({
  workspace: uuidSchema,
  run: uuidSchema,
  /** Number of records, including those a fork shares. */
  version: z.number().int().min(1),
  head: hexDigestSchema,
  /** ms since 1970, runner clock. */
  at: z.number().int().min(0),
});
export type HeadStatement = z.infer<typeof headStatementSchema>;

/** Ed25519 over the digest's 32 bytes, base64url. */
export const signedHeadSchema = z.strictObject({
  statement: headStatementSchema,
  kid: z.string().max(64),
  signature: z.string().max(128),
});
export type SignedHead = z.infer<typeof signedHeadSchema>;

export const computeHeadDigest = ({ workspace, run, version, head, at }: HeadStatement): HexDigest =>
  digestOf("head", { workspace, run, version, head, at });

export const attestCommandSchema = z.strictObject({ kind: z.literal("attest"), run: uuidSchema });
export type AttestCommand = z.infer<typeof attestCommandSchema>;

type Ledger = {
  readonly workspace: string;
  readonly run: string;
  readonly records: readonly { readonly seq: number; readonly digest: string }[];
};

/** `truncated`: the signed record is missing. */
export type HeadFault = { readonly seq: number; readonly reason: "head" | "truncated" };

/** Returns a signed head's fault, or null. */
export const findHeadFault = async (
  { workspace, run, records }: Ledger,
  { statement, kid, signature }: SignedHead,
  { keys, retired }: Trust,
): Promise<HeadFault | null> => {
  const key = Object.hasOwn(keys, kid) ? keys[kid] : undefined;
  const isSigned = key !== undefined && (await verifyDigest(key, signature, computeHeadDigest(statement)));
  if (!isSigned || isRetired(retired, kid, statement.at) || statement.workspace !== workspace || statement.run !== run)
    return { seq: records.length, reason: "head" };
  const named = records[statement.version - 1];
  if (!named) return { seq: records.length, reason: "truncated" };

  return named.digest === statement.head ? null : { seq: statement.version - 1, reason: "head" };
};
