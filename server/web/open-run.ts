import { AppError } from "@/lib/errors";
import type { Classification } from "@/lib/graph/label";
import type { Sealed } from "@/lib/engine/labels/reading";
import type { PublishedGraph } from "@/lib/graph/document";
import { getPublished } from "@/lib/engine/forks/fork";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { listEntries, replay } from "@/lib/engine/ledger/replay";
import { stateAt } from "@/lib/engine/timeline";
import type { RunState } from "@/lib/engine/state";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify/verify";
import { getVersion, type StoredVersion } from "@/server/store/graphs/versions";
import { listShreds } from "@/server/store/ledger/cells-shred";
import { getLedgerPage, type LedgerPage } from "@/server/store/ledger/page";
import { listPasskeyRecords } from "@/server/store/people/passkeys";
import { getRun, type RunRow } from "@/server/store/runs/runs";
import { readHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { openCells, openEveryCell } from "@/server/reading/open-cells";
import { sealedCells } from "@/server/reading/sealed-cells";
import { getWebVault } from "./web-vault";
import { hideSeals, verifyAhead, verifyUnseen } from "./visible-records";

/** Far above any run's iteration limit. */
const ALL = 1_000_000;

export type OpenedRun = {
  readonly run: RunRow;
  readonly version: StoredVersion;
  readonly ledger: LedgerExport;
  readonly sealed: Sealed;
};

/** A prefix of records is itself a ledger. */
const pageUntil = async (workspaceId: string, { id, forkSeq }: RunRow, lastSeq: number): Promise<LedgerPage | null> => {
  const version = Math.max(lastSeq, forkSeq ?? 0) + 1;
  const page = await getLedgerPage(workspaceId, id, -1, version);

  return page && { ...page, head: { version, digest: page.records.at(-1)?.digest ?? "" } };
};

type StoredRun = { readonly run: RunRow; readonly version: StoredVersion; readonly page: LedgerPage };

const storedRun = async (workspaceId: string, runId: string, lastSeq: number | undefined): Promise<StoredRun> => {
  const run = await getRun(workspaceId, runId);
  if (!run) throw new AppError("not_found");
  const isWhole = lastSeq === undefined || lastSeq >= run.version - 1;
  const [version, page] = await Promise.all([
    getVersion(workspaceId, run.graphHash),
    isWhole ? getLedgerPage(workspaceId, runId, -1, ALL) : pageUntil(workspaceId, run, lastSeq),
  ]);
  if (!version || !page) throw new AppError("not_found");

  return { run, version, page };
};

type Extent = Classification | "whole";

const openStored = async (workspaceId: string, { run, version, page }: StoredRun, extent: Extent): Promise<OpenedRun> => {
  const [shreds, passkeys, handovers, sealed] = await Promise.all([
    listShreds(workspaceId, page.cells),
    listPasskeyRecords(workspaceId, page.records),
    readHandovers(),
    sealedCells(getWebVault(), workspaceId, run.id, page.cells),
  ]);
  const cells =
    extent === "whole"
      ? openEveryCell(getWebVault(), workspaceId, page.cells)
      : openCells(getWebVault(), workspaceId, page.cells, { clearance: extent, sealed });
  const { head } = page;
  const records = hideSeals(page.records);

  return { run, version, sealed, ledger: { workspace: workspaceId, run: run.id, records, cells, head, shreds, passkeys, handovers } };
};

const opened = async (workspaceId: string, runId: string, extent: Extent): Promise<OpenedRun> =>
  openStored(workspaceId, await storedRun(workspaceId, runId, undefined), extent);

/** Opens a run, unverified. @throws AppError not_found */
export const openRun = (workspaceId: string, runId: string, clearance: Classification): Promise<OpenedRun> =>
  opened(workspaceId, runId, clearance);

/** Opens every value, unverified; output-paths.test.ts lists importers. */
export const openWholeRun = (workspaceId: string, runId: string): Promise<OpenedRun> => opened(workspaceId, runId, "whole");

const verified = async (workspaceId: string, runId: string, extent: Extent, lastSeq?: number): Promise<OpenedRun> => {
  const [stored, keys] = await Promise.all([storedRun(workspaceId, runId, lastSeq), listPublicKeys()]);
  void verifyAhead(stored.page.records, keys);
  const found = await openStored(workspaceId, stored, extent);
  const verification = await verifyLedger(found.ledger, keys, undefined, verifyUnseen);
  if (!verification.ok) {
    throw new AppError("refused", {
      refusal: "run_frozen",
      message: `The run's ledger does not verify: record ${verification.seq}, ${verification.reason}. Nothing can be decided in it.`,
    });
  }

  return found;
};

/** Opens a verified run. @throws AppError refused, since unsigned state is never shown */
export const openVerifiedRun = (workspaceId: string, runId: string, clearance: Classification, lastSeq?: number): Promise<OpenedRun> =>
  verified(workspaceId, runId, clearance, lastSeq);

/** Opens every value, verified; output-paths.test.ts lists importers. */
export const openVerifiedWholeRun = (workspaceId: string, runId: string): Promise<OpenedRun> => verified(workspaceId, runId, "whole");

export type Replayed = {
  readonly run: RunRow;
  readonly version: StoredVersion;
  readonly published: PublishedGraph;
  readonly records: readonly SignedRecord[];
  readonly sealed: Sealed;
  /** Up to the opened clearance. */
  readonly state: RunState;
  readonly at: (seq: number) => RunState;
};

const replayed = async (workspaceId: string, runId: string, extent: Extent, lastSeq?: number): Promise<Replayed> => {
  const { run, version, ledger, sealed } = await verified(workspaceId, runId, extent, lastSeq);
  const { state, records } = replay(ledger, run.graphHash);

  return {
    run,
    version,
    sealed,
    published: getPublished(version.published, state),
    state,
    records,
    at: (seq) => (seq === state.version - 1 ? state : stateAt(listEntries(ledger), seq)),
  };
};

/** Replays a run. @param lastSeq absent: now @throws AppError not_found, or refused for a false ledger */
export const replayRun = (workspaceId: string, runId: string, clearance: Classification, lastSeq?: number): Promise<Replayed> =>
  replayed(workspaceId, runId, clearance, lastSeq);

/** Replays every value, only for redacted views; output-paths.test.ts lists importers. */
export const replayWhole = (workspaceId: string, runId: string): Promise<Replayed> => replayed(workspaceId, runId, "whole");
