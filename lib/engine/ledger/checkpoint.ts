/** Signed line over all records. Kept elsewhere, it reveals later changes. */
import { z } from "zod";
import { digestOf, encodeWithDomain, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { hashLeaf, verifyInclusion } from "@/lib/engine/ledger/merkle";
import { verifyDigest, type PublicKeys } from "@/lib/engine/ledger/signature";

export const logLeafSchema = z.strictObject({ run: uuidSchema, seq: z.number().int().min(0), digest: hexDigestSchema });
export type LogLeaf = z.infer<typeof logLeafSchema>;

/** Hashes a leaf with its record's name, so none passes for another. */
export const hashOfLeaf = ({ run, seq, digest }: LogLeaf): HexDigest => hashLeaf(encodeWithDomain("leaf", { run, seq, digest }));

export const checkpointSchema = z.strictObject({
  origin: uuidSchema,
  /** Number of leaves. */
  count: z.number().int().min(0),
  /** Merkle root (RFC 6962). */
  root: hexDigestSchema,
  /** ms since 1970, runner clock: covers every record that existed then. */
  at: z.number().int().min(0),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** Ed25519 over the digest's 32 bytes, base64url. */
export const signedCheckpointSchema = z.strictObject({
  checkpoint: checkpointSchema,
  kid: z.string().max(64),
  signature: z.string().max(128),
});
export type SignedCheckpoint = z.infer<typeof signedCheckpointSchema>;

export const computeCheckpointDigest = ({ origin, count, root, at }: Checkpoint): HexDigest =>
  digestOf("checkpoint", { origin, count, root, at });

/** Sent to the workspace itself, under run id `getWorkspaceLedgerId`. */
export const checkpointCommandSchema = z.strictObject({ kind: z.literal("checkpoint") });
export type CheckpointCommand = z.infer<typeof checkpointCommandSchema>;

export type CheckpointFault = "checkpoint_key" | "checkpoint_signature";

/** Returns a checkpoint's fault, or null. */
export const findCheckpointFault = async (signed: SignedCheckpoint, keys: PublicKeys): Promise<CheckpointFault | null> => {
  const key = Object.hasOwn(keys, signed.kid) ? keys[signed.kid] : undefined;
  if (key === undefined) return "checkpoint_key";

  return (await verifyDigest(key, signed.signature, computeCheckpointDigest(signed.checkpoint))) ? null : "checkpoint_signature";
};

/** Proof that the log has a run's last record. */
export const coverageSchema = z.strictObject({
  signed: signedCheckpointSchema,
  index: z.number().int().min(0),
  proof: z.array(hexDigestSchema).max(64),
});
export type Coverage = z.infer<typeof coverageSchema>;

/** Verifies signature, workspace and inclusion. */
export const isCovered = async (coverage: Coverage, workspace: string, last: LogLeaf, keys: PublicKeys): Promise<boolean> => {
  const { signed, index, proof } = coverage;
  const { origin, count, root } = signed.checkpoint;
  if (origin !== workspace || (await findCheckpointFault(signed, keys)) !== null) return false;

  return verifyInclusion({ leaf: hashOfLeaf(last), index, proof }, count, root);
};
