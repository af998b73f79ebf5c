/**
 * What the runner says of a run's head at a moment. An export that carries it cannot be cut off its end together with the
 * head that it names itself.
 */
import { z } from "zod";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import type { Trust } from "@/lib/engine/verify/check-record";
import { isRetired } from "@/lib/engine/ledger/handover";
import { verifyDigest } from "@/lib/engine/ledger/signature";

export const headStatementSchema = z.strictObject({
  workspace: uuidSchema,
  run: uuidSchema,
  /** Records that the run had, of a fork with those that it shares. */
  version: z.number().int().min(1),
  /** Digest of the last one. */
  head: hexDigestSchema,
  /** Milliseconds since 1970, from the runner's clock. */
  at: z.number().int().min(0),
});
export type HeadStatement = z.infer<typeof headStatementSchema>;

/** `signature`: Ed25519 over the digest's 32 bytes, base64url. */
export const signedHeadSchema = z.strictObject({
  statement: headStatementSchema,
  kid: z.string().max(64),
  signature: z.string().max(128),
});
export type SignedHead = z.infer<typeof signedHeadSchema>;

export const headDigest = ({ workspace, run, version, head, at }: HeadStatement): HexDigest =>
  digestOf("head", { workspace, run, version, head, at });

/** A command to the workspace itself (its run id is `workspaceLedgerId`): the runner is to sign where the run stands. */
export const attestCommandSchema = z.strictObject({ kind: z.literal("attest"), run: uuidSchema });
export type AttestCommand = z.infer<typeof attestCommandSchema>;

type Ledger = {
  readonly workspace: string;
  readonly run: string;
  readonly records: readonly { readonly seq: number; readonly digest: string }[];
};

/** `head`: no known key says this of this run. `truncated`: the ledger ends before the record that the runner signed. */
export type HeadFault = { readonly seq: number; readonly reason: "head" | "truncated" };

/** @returns null when a known key said it while it might, and the ledger has the record that it names where it names it */
export const headFault = async (
  { workspace, run, records }: Ledger,
  { statement, kid, signature }: SignedHead,
  { keys, retired }: Trust,
): Promise<HeadFault | null> => {
  const key = Object.hasOwn(keys, kid) ? keys[kid] : undefined;
  const isSigned = key !== undefined && (await verifyDigest(key, signature, headDigest(statement)));
  if (!isSigned || isRetired(retired, kid, statement.at) || statement.workspace !== workspace || statement.run !== run)
    return { seq: records.length, reason: "head" };
  const named = records[statement.version - 1];
  if (!named) return { seq: records.length, reason: "truncated" };

  return named.digest === statement.head ? null : { seq: statement.version - 1, reason: "head" };
};
