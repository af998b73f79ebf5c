import type { HexDigest } from "@/lib/hash";
import type { RunStatus } from "@/lib/engine/event";
import { replay } from "@/lib/engine/ledger/replay";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { RunState } from "@/lib/engine/state";
import { listPasskeysNotProved, type PasskeyUse } from "@/lib/engine/verify/verify-passkeys";
import { NOT_PROVED, verifyLedger, type LedgerExport, type Verification } from "@/lib/engine/verify/verify";

export type ShownRun = {
  readonly status: RunStatus;
  readonly currentNode: string | null;
  readonly refusals: number;
  readonly totalTokens: number;
  readonly totalMicroUsd: number;
};

export type Expected = {
  readonly executed?: (state: RunState) => HexDigest;
  readonly shown?: ShownRun;
  readonly onProgress?: (checked: number) => void;
};

/** `graph`: another version ran. `state`: differs from shown. */
export type ReplayFault =
  | Extract<Verification, { ok: false }>
  | { readonly ok: false; readonly seq: number; readonly reason: "graph" | "state" };

/** `state` holds all opened values; callers restrict display. */
export type ReplayVerification = (Extract<Verification, { ok: true }> & { readonly state: RunState }) | ReplayFault;

const isShown = (state: RunState, shown: ShownRun): boolean =>
  shown.status === state.status &&
  shown.currentNode === state.currentNode &&
  shown.refusals === state.refusals &&
  shown.totalTokens === state.totalTokens &&
  shown.totalMicroUsd === state.costMicroUsd;

/**
 * Verifies by replay.
 * @param keys trusted; the document's own prove only consistency
 */
export const verifyReplay = async (
  ledger: LedgerExport,
  keys: PublicKeys,
  { executed, shown, onProgress }: Expected = {},
): Promise<ReplayVerification> => {
  const verified = await verifyLedger(ledger, keys, onProgress);
  if (!verified.ok) return verified;
  const { state, records } = replay(ledger, "");
  const hash = executed?.(state);
  // Shared records executed the parent's version.
  const other = records.findIndex(({ record }) => record.run === ledger.run && hash !== undefined && record.graph_hash !== hash);
  if (other >= 0) return { ok: false, seq: other, reason: "graph" };
  if (shown && !isShown(state, shown)) return { ok: false, seq: Math.max(0, records.length - 1), reason: "state" };

  return { ...verified, state };
};

/**
 * Returns continuations of "this does not prove".
 * @param isSigned a signature covers the head
 */
export const listNotProved = (isSigned: boolean, passkeys: readonly PasskeyUse[] = []): readonly string[] => [
  ...(isSigned ? ["that the run did not continue after the export", ...NOT_PROVED.slice(1)] : NOT_PROVED),
  ...listPasskeysNotProved(passkeys),
  "that people and models acted well, only that these records were made",
  "that a model would answer the same way again: no model was called",
];
