/** Verifies a run's ledger, then replays it. */
import type { Json } from "@/lib/json";
import { isTerminal } from "@/lib/engine/event";
import { labelSchema } from "@/lib/graph/label";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { replay } from "@/lib/engine/ledger/replay";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { findMissingCell } from "@/lib/engine/ledger/shred";
import type { RunState } from "@/lib/engine/state";
import { verifyLedger, type BadReason, type LedgerExport } from "@/lib/engine/verify/verify";
import type { RefusalCode } from "@/lib/refusal";
import type { Rollback } from "@/server/runner/rollback";
import type { Vault } from "@/server/security/vault";
import { listShreds } from "@/server/store/ledger/cells-shred";
import { loadLedger } from "@/server/store/ledger/ledger";
import { listPasskeyRecords } from "@/server/store/people/passkeys";
import { readHandovers } from "@/server/security/trust-anchor";

type FrozenReason = BadReason | RefusalCode | "graph" | "shredded" | Rollback["reason"];

/** The ledger is invalid, rolled back or lacks needed values. */
export class RunFrozen extends Error {
  readonly reason: FrozenReason;
  readonly seq: number;

  constructor(reason: FrozenReason, seq: number) {
    super(`the ledger is bad at record ${seq}: ${reason}`);
    this.name = "RunFrozen";
    this.reason = reason;
    this.seq = seq;
  }
}

type Head = { readonly workspaceId: string; readonly runId: string; readonly version: number; readonly digest: string };

export const openLedger = async (vault: Vault, head: Head): Promise<LedgerExport> => {
  const { workspaceId, runId } = head;
  const { records, cells } = await loadLedger(workspaceId, runId);

  return {
    workspace: workspaceId,
    run: runId,
    records,
    shreds: await listShreds(workspaceId, cells),
    passkeys: await listPasskeyRecords(workspaceId, records),
    handovers: await readHandovers(),
    cells: cells.map(({ runId: from, sealed, wrappedKey, label, ...place }) => ({
      seq: place.seq,
      index: place.index,
      path: place.path,
      label: labelOf(label),
      commitment: place.commitment,
      opened: vault.openCell({ workspace: workspaceId, run: from, ...place, label }, { sealed, wrappedKey }),
    })),
    head: { version: head.version, digest: head.digest },
  };
};

export const sliceLedgerBefore = (ledger: LedgerExport, seq: number): LedgerExport => ({
  ...ledger,
  records: ledger.records.filter((record) => record.seq < seq),
  cells: ledger.cells.filter((cell) => cell.seq < seq),
});

/** A run may move while read: ends at `head`. */
export const openLedgerAt = async (vault: Vault, head: Head): Promise<LedgerExport> =>
  sliceLedgerBefore(await openLedger(vault, head), head.version);

/** No record can have committed to an unparsable label. */
const labelOf = (text: string): Json => {
  try {
    return labelSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/** `lacksValues`: needed values are shredded, so it can only be ended. */
type Loaded = { state: RunState; records: SignedRecord[]; lacksValues: boolean };

const replayVerified = async (ledger: LedgerExport, keys: PublicKeys, graphHash: string): Promise<Loaded> => {
  const verified = await verifyLedger(ledger, keys);
  if (!verified.ok) throw new RunFrozen(verified.reason, verified.seq);
  const replayed = replay(ledger, graphHash);

  // Continuing with partial values would treat the missing ones as never written.
  return { ...replayed, lacksValues: !isTerminal(replayed.state.status) && findMissingCell(replayed.state) !== undefined };
};

/** Loads a verified run under its lease. @throws RunFrozen */
export const loadRun = async (vault: Vault, keys: PublicKeys, head: Head, graphHash: string): Promise<Loaded> =>
  replayVerified(await openLedger(vault, head), keys, graphHash);

/** As `loadRun`, without its lease. @throws RunFrozen */
export const loadRunAt = async (vault: Vault, keys: PublicKeys, head: Head, graphHash: string): Promise<Loaded> =>
  replayVerified(await openLedgerAt(vault, head), keys, graphHash);
