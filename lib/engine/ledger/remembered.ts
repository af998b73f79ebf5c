/** What somebody has seen of a ledger before, against what there is now: it may have grown, and nothing else. */
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { goesOn } from "@/lib/engine/ledger/checkpoint-file";

/** Where a run stood when it was verified. */
export type RememberedHead = {
  readonly version: number;
  readonly digest: string;
  /** ms since 1970 */
  readonly at: number;
};

export type MemoryFault = {
  readonly reason: "head_shorter" | "head_rewritten";
  /** The first record that is not as it was. */
  readonly seq: number;
};

export const MEMORY_FAULT_TEXT = {
  head_shorter: "The run has fewer records than this browser verified before. It was rolled back or truncated.",
  head_rewritten: "The last record that this browser verified has changed. The run was rewritten.",
} as const satisfies Record<MemoryFault["reason"], string>;

/** @param records of the run, verified @returns null when they go on from what is remembered */
export const runMemoryFault = (records: readonly { readonly digest: string }[], remembered: RememberedHead): MemoryFault | null => {
  const last = records[remembered.version - 1];
  if (!last) return { reason: "head_shorter", seq: records.length };

  return last.digest === remembered.digest ? null : { reason: "head_rewritten", seq: remembered.version - 1 };
};

/**
 * Whether what was verified now takes the place of what is remembered meanwhile. Another tab may have seen more: nothing
 * that is less ever replaces it, or a ledger that was rolled back in between would be taken for a new one.
 */
export const isNewerHead = (next: RememberedHead, known: RememberedHead | null): boolean => known === null || next.version > known.version;

/** The same of checkpoints. */
export const isNewerCheckpoint = (next: SignedCheckpoint, known: SignedCheckpoint | null): boolean =>
  known === null || next.checkpoint.count > known.checkpoint.count;

export type LogMemory = "extends" | "shorter" | "rewritten";

/**
 * Whether the log that the newer checkpoint counts has everything that the remembered one counted, in its place.
 * @param proof from the remembered one's count to the newer one's; nothing when nobody could make one
 */
export const logMemory = (remembered: SignedCheckpoint, newest: SignedCheckpoint | null, proof: readonly string[]): LogMemory => {
  if (!newest || newest.checkpoint.count < remembered.checkpoint.count) return "shorter";

  return goesOn(remembered, newest, proof) ? "extends" : "rewritten";
};
