import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { goesOn } from "@/lib/engine/ledger/checkpoint-file";

export type RememberedHead = {
  readonly version: number;
  readonly digest: string;
  /** ms since 1970 */
  readonly at: number;
};

export type MemoryFault = {
  readonly reason: "head_shorter" | "head_rewritten";
  readonly seq: number;
};

export const MEMORY_FAULT_TEXT = {
  head_shorter: "The run has fewer records than this browser verified before. It was rolled back or truncated.",
  head_rewritten: "The last record that this browser verified has changed. The run was rewritten.",
} as const satisfies Record<MemoryFault["reason"], string>;

/** Returns how a run lost remembered records, or null. */
export const runMemoryFault = (records: readonly { readonly digest: string }[], remembered: RememberedHead): MemoryFault | null => {
  const last = records[remembered.version - 1];
  if (!last) return { reason: "head_shorter", seq: records.length };

  return last.digest === remembered.digest ? null : { reason: "head_rewritten", seq: remembered.version - 1 };
};

/** Returns whether to remember `next`. Replacing a longer head would hide a rollback. */
export const isNewerHead = (next: RememberedHead, known: RememberedHead | null): boolean => known === null || next.version > known.version;

/** Returns whether to remember `next`. */
export const isNewerCheckpoint = (next: SignedCheckpoint, known: SignedCheckpoint | null): boolean =>
  known === null || next.checkpoint.count > known.checkpoint.count;

export type LogMemory = "extends" | "shorter" | "rewritten";

/** Checks that the log extends the remembered one. */
export const logMemory = (remembered: SignedCheckpoint, newest: SignedCheckpoint | null, proof: readonly string[]): LogMemory => {
  if (!newest || newest.checkpoint.count < remembered.checkpoint.count) return "shorter";

  return goesOn(remembered, newest, proof) ? "extends" : "rewritten";
};
