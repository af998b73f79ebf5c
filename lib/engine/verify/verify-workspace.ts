import { toCanonicalJson } from "@/lib/json";
import { recordDigest } from "@/lib/engine/ledger/chain";
import { findCheckpointFault, hashOfLeaf, type CheckpointFault, type LogLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { EMPTY_FRONTIER, extend, computeRoot } from "@/lib/engine/ledger/merkle";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { parseRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";

/** `digest` null: not a record. */
export type FoundRecord = { readonly seq: number; readonly digest: string | null; readonly at: number };

/** Recomputes the digest; only canonical text has one. */
export const toFoundRecord = (stored: StoredRecord): FoundRecord => {
  const record = parseRecord(stored)?.record;

  return record && toCanonicalJson(record) === stored.body
    ? { seq: stored.seq, digest: recordDigest(record), at: record.at }
    : { seq: stored.seq, digest: null, at: 0 };
};

export type WorkspaceFound = {
  readonly leaves: readonly LogLeaf[];
  readonly runs: ReadonlyMap<string, readonly FoundRecord[]>;
};

export type WorkspaceFault =
  | CheckpointFault
  | "log_shorter"
  | "log_rewritten"
  | "run_missing"
  | "record_missing"
  | "record_changed"
  | "record_unlogged";

export const WORKSPACE_FAULT_TEXT = {
  checkpoint_key: "The checkpoint is signed with an unknown key.",
  checkpoint_signature: "The signature does not match this checkpoint and key.",
  log_shorter: "The log has fewer records than the checkpoint covers. It was rolled back or truncated.",
  log_rewritten: "The log does not begin with the records the checkpoint covers.",
  run_missing: "The log lists records of this run, but none of them exist any more.",
  record_missing: "The log lists this record, but it no longer exists.",
  record_changed: "The record differs from the one in the log.",
  record_unlogged:
    "The record is dated before the checkpoint, but the checkpoint does not cover it. It was inserted later, or the clock was wrong.",
} as const satisfies Record<WorkspaceFault, string>;

export type WorkspaceVerification =
  | {
      readonly ok: true;
      readonly counted: number;
      readonly logged: number;
      readonly pending: number;
    }
  | { readonly ok: false; readonly reason: WorkspaceFault; readonly run: string | null; readonly seq: number | null };

export const WORKSPACE_NOT_PROVED = [
  "that no records after the checkpoint were removed: keep newer checkpoints",
  "that the holder of the signing key has no second history: compare checkpoints from several places",
  "that hidden or encrypted values are correct, only that they match their commitments",
  "that the runner's clock was right",
] as const;

/** Commit delay and clock skew. */
const LATE_MS = 120_000;

const fault = (reason: WorkspaceFault, at: { readonly run: string; readonly seq: number | null } | null = null): WorkspaceVerification => ({
  ok: false,
  reason,
  run: at?.run ?? null,
  seq: at?.seq ?? null,
});

const faultOfLeaf = (leaf: LogLeaf, records: ReadonlyMap<number, FoundRecord> | undefined): WorkspaceVerification | null => {
  if (!records || records.size === 0) return fault("run_missing", { run: leaf.run, seq: null });
  const record = records.get(leaf.seq);
  if (!record) return fault("record_missing", leaf);

  return record.digest === leaf.digest ? null : fault("record_changed", leaf);
};

const keyOf = (run: string, seq: number): string => `${run} ${seq}`;

/** Records that the checkpoint should cover by their time. */
const unlogged = ({ leaves, runs }: WorkspaceFound, { checkpoint }: SignedCheckpoint): WorkspaceVerification | null => {
  const counted = new Set(leaves.slice(0, checkpoint.count).map(({ run, seq }) => keyOf(run, seq)));
  for (const [run, records] of runs) {
    const late = records.find(({ seq, at }) => at < checkpoint.at - LATE_MS && !counted.has(keyOf(run, seq)));
    if (late) return fault("record_unlogged", { run, seq: late.seq });
  }

  return null;
};

/**
 * Verifies a workspace against a kept checkpoint.
 * @param keys trusted
 */
export const verifyWorkspace = async (
  signed: SignedCheckpoint,
  found: WorkspaceFound,
  keys: PublicKeys,
): Promise<WorkspaceVerification> => {
  const bad = await findCheckpointFault(signed, keys);
  if (bad) return fault(bad);
  const { count, root } = signed.checkpoint;
  const { leaves, runs } = found;
  const bySeq = new Map([...runs].map(([run, records]) => [run, new Map(records.map((record) => [record.seq, record]))]));
  if (leaves.length < count) return fault("log_shorter");
  if (computeRoot(extend(EMPTY_FRONTIER, leaves.slice(0, count).map(hashOfLeaf))) !== root) return fault("log_rewritten");
  for (const leaf of leaves) {
    const wrong = faultOfLeaf(leaf, bySeq.get(leaf.run));
    if (wrong) return wrong;
  }
  const all = [...runs.values()].reduce((sum, records) => sum + records.length, 0);

  return unlogged(found, signed) ?? { ok: true, counted: count, logged: leaves.length - count, pending: Math.max(0, all - leaves.length) };
};
