import { z } from "zod";
import { findCheckpointFault, signedCheckpointSchema, type CheckpointFault, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { verifyConsistency } from "@/lib/engine/ledger/merkle";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { hexDigestSchema } from "@/lib/hash";

export const checkpointEntrySchema = z.strictObject({
  signed: signedCheckpointSchema,
  /** Older checkpoint with the consistency proof; null when none was given. */
  since: z.strictObject({ signed: signedCheckpointSchema, proof: z.array(hexDigestSchema).max(128) }).nullable(),
});
export type CheckpointEntry = z.infer<typeof checkpointEntrySchema>;

export const checkpointFileSchema = z.strictObject({
  format: z.literal("countersign/checkpoint/v1"),
  checkpoints: z.array(checkpointEntrySchema).max(100_000),
  /** kid -> raw Ed25519 key, base64url: every key that had signed by then. */
  public_keys: z.record(z.string().max(64), z.string().max(64)),
});
export type CheckpointFile = z.infer<typeof checkpointFileSchema>;

/** Returns whether the newer log extends the older. */
export const goesOn = (older: SignedCheckpoint, newer: SignedCheckpoint, proof: readonly string[]): boolean => {
  if (older.checkpoint.origin !== newer.checkpoint.origin) return false;

  // Every log extends the empty one.
  return older.checkpoint.count === 0 || verifyConsistency(older.checkpoint, newer.checkpoint, proof);
};

export type CheckpointFileFault = { readonly reason: CheckpointFault | "not_consistent"; readonly workspace: string };

/** Returns a file's first fault, or null. */
export const findCheckpointFileFault = async (file: CheckpointFile, keys: PublicKeys): Promise<CheckpointFileFault | null> => {
  for (const { signed, since } of file.checkpoints) {
    const workspace = signed.checkpoint.origin;
    const reason = (await findCheckpointFault(signed, keys)) ?? (since && (await findCheckpointFault(since.signed, keys)));
    if (reason) return { reason, workspace };
    if (since && !goesOn(since.signed, signed, since.proof)) return { reason: "not_consistent", workspace };
  }

  return null;
};
