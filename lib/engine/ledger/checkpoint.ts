/**
 * Checkpoints: one signed line about all records of a workspace. Whoever keeps it elsewhere can tell later whether any of
 * the records that it counts is gone, changed or exchanged, whatever became of the database.
 */
import { z } from "zod";
import { digestOf, domainBytes, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import { leafHash, verifyInclusion } from "@/lib/engine/ledger/merkle";
import { verifyDigest, type PublicKeys } from "@/lib/engine/ledger/signature";

/** A record's entry in the log of its workspace. Its place in the list is its index. */
export const logLeafSchema = z.strictObject({ run: uuidSchema, seq: z.number().int().min(0), digest: hexDigestSchema });
export type LogLeaf = z.infer<typeof logLeafSchema>;

/** Leaves name their record, so that nobody can say of a missing one that it was another's. */
export const hashOfLeaf = ({ run, seq, digest }: LogLeaf): HexDigest => leafHash(domainBytes("leaf", { run, seq, digest }));

export const checkpointSchema = z.strictObject({
  /** The workspace. */
  origin: uuidSchema,
  /** Records in the log. */
  count: z.number().int().min(0),
  /** Of the Merkle tree (RFC 6962) over all of them. */
  root: hexDigestSchema,
  /** Milliseconds since 1970, from the runner's clock: every record that was there then is counted. */
  at: z.number().int().min(0),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** `signature`: Ed25519 over the digest's 32 bytes, base64url. */
export const signedCheckpointSchema = z.strictObject({
  checkpoint: checkpointSchema,
  kid: z.string().max(64),
  signature: z.string().max(128),
});
export type SignedCheckpoint = z.infer<typeof signedCheckpointSchema>;

export const checkpointDigest = ({ origin, count, root, at }: Checkpoint): HexDigest => digestOf("checkpoint", { origin, count, root, at });

/** A command to the workspace itself (its run id is `workspaceLedgerId`): the runner is to take a checkpoint now. */
export const checkpointCommandSchema = z.strictObject({ kind: z.literal("checkpoint") });
export type CheckpointCommand = z.infer<typeof checkpointCommandSchema>;

export type CheckpointFault = "checkpoint_key" | "checkpoint_signature";

/** @returns null when a known key signed it */
export const checkpointFault = async (signed: SignedCheckpoint, keys: PublicKeys): Promise<CheckpointFault | null> => {
  const key = Object.hasOwn(keys, signed.kid) ? keys[signed.kid] : undefined;
  if (key === undefined) return "checkpoint_key";

  return (await verifyDigest(key, signed.signature, checkpointDigest(signed.checkpoint))) ? null : "checkpoint_signature";
};

/** That a run's last record is in the log, as an export carries it along. */
export const coverageSchema = z.strictObject({
  signed: signedCheckpointSchema,
  index: z.number().int().min(0),
  proof: z.array(hexDigestSchema).max(64),
});
export type Coverage = z.infer<typeof coverageSchema>;

/** Whether the checkpoint is validly signed, of this workspace, and counts this record at that place. */
export const isCovered = async (coverage: Coverage, workspace: string, last: LogLeaf, keys: PublicKeys): Promise<boolean> => {
  const { signed, index, proof } = coverage;
  const { origin, count, root } = signed.checkpoint;
  if (origin !== workspace || (await checkpointFault(signed, keys)) !== null) return false;

  return verifyInclusion({ leaf: hashOfLeaf(last), index, proof }, count, root);
};
