/**
 * A run checked as a whole, without a model and without the world: its ledger verified, folded again, and compared with
 * what is said about it elsewhere. The web and the command line ask the same function.
 */
import type { HexDigest } from "@/lib/hash";
import type { RunStatus } from "@/lib/engine/event";
import { replay } from "@/lib/engine/ledger/replay";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { RunState } from "@/lib/engine/state";
import { passkeysNotProved, type PasskeyUse } from "@/lib/engine/verify/verify-passkeys";
import { NOT_PROVED, verifyLedger, type LedgerExport, type Verification } from "@/lib/engine/verify/verify";

/** What lists and pages show of a run, kept beside its ledger. */
export type ShownRun = {
  readonly status: RunStatus;
  readonly currentNode: string | null;
  readonly refusals: number;
  readonly totalTokens: number;
  readonly totalMicroUsd: number;
};

export type Expected = {
  /** The name of what the run is said to have executed, given where its records lead. */
  readonly executed?: (state: RunState) => HexDigest;
  readonly shown?: ShownRun;
  /** Called with the number of records checked so far. */
  readonly onProgress?: (checked: number) => void;
};

/** `graph`: a record of the run executed another version. `state`: the records lead to another state than the one shown. */
export type ReplayFault =
  | Extract<Verification, { ok: false }>
  | { readonly ok: false; readonly seq: number; readonly reason: "graph" | "state" };

/** `state` holds every value that was opened: what of it may be shown is for the caller to know. */
export type ReplayVerification = (Extract<Verification, { ok: true }> & { readonly state: RunState }) | ReplayFault;

const isShown = (state: RunState, shown: ShownRun): boolean =>
  shown.status === state.status &&
  shown.currentNode === state.currentNode &&
  shown.refusals === state.refusals &&
  shown.totalTokens === state.totalTokens &&
  shown.totalMicroUsd === state.costMicroUsd;

/** @param keys what is trusted: a document's own keys only say that it agrees with itself */
export const verifyReplay = async (
  ledger: LedgerExport,
  keys: PublicKeys,
  { executed, shown, onProgress }: Expected = {},
): Promise<ReplayVerification> => {
  const verified = await verifyLedger(ledger, keys, onProgress);
  if (!verified.ok) return verified;
  const { state, records } = replay(ledger, "");
  const hash = executed?.(state);
  // Of a fork, the records before it executed what its parent executed.
  const other = records.findIndex(({ record }) => record.run === ledger.run && hash !== undefined && record.graph_hash !== hash);
  if (other >= 0) return { ok: false, seq: other, reason: "graph" };
  if (shown && !isShown(state, shown)) return { ok: false, seq: Math.max(0, records.length - 1), reason: "state" };

  return { ...verified, state };
};

/**
 * What even a clean result leaves open, as sentences that go on from "this does not prove".
 * @param isSigned whether the whole was signed with its head, so that nothing can be cut off its end
 */
export const notProved = (isSigned: boolean, passkeys: readonly PasskeyUse[] = []): readonly string[] => [
  ...(isSigned ? ["that the run did not continue after the export", ...NOT_PROVED.slice(1)] : NOT_PROVED),
  ...passkeysNotProved(passkeys),
  "that people and models acted well, only that this is what was recorded",
  "that a model would answer the same way again: no model was called",
];
