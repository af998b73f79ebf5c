/** A run's ledger, opened as far as somebody may see, and the state it leads to, once it verifies. */
import { AppError } from "@/lib/errors";
import type { Classification } from "@/lib/graph/label";
import type { PublishedGraph } from "@/lib/graph/document";
import { publishedOf } from "@/lib/engine/fork";
import type { SignedRecord } from "@/lib/engine/record";
import { entriesIn, replay } from "@/lib/engine/replay";
import { stateAt } from "@/lib/engine/timeline";
import type { RunState } from "@/lib/engine/state";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify";
import { getVersion, type StoredVersion } from "@/server/store/graph-versions";
import { shredsOf } from "@/server/store/cells-shred";
import { ledgerPage, type LedgerPage } from "@/server/store/ledger-page";
import { passkeysOf } from "@/server/store/passkeys";
import { getRun, type RunRow } from "@/server/store/runs";
import { handoversBeside, listPublicKeys } from "@/server/security/trust-anchor";
import { webVault } from "./web-vault";
import { openCells } from "./open-cells";
import { seenRecords, verifyAhead, verifyUnseen } from "./seen-records";

/** Far more than any run's iteration limit allows. */
const ALL = 1_000_000;

export type OpenedRun = { readonly run: RunRow; readonly version: StoredVersion; readonly ledger: LedgerExport };

/** The records up to one are a ledger of their own, which ends with it. Of a fork they have its first own one at least. */
const pageUntil = async (workspaceId: string, { id, forkSeq }: RunRow, lastSeq: number): Promise<LedgerPage | null> => {
  const version = Math.max(lastSeq, forkSeq ?? 0) + 1;
  const page = await ledgerPage(workspaceId, id, -1, version);

  return page && { ...page, head: { version, digest: page.records.at(-1)?.digest ?? "" } };
};

type StoredRun = { readonly run: RunRow; readonly version: StoredVersion; readonly page: LedgerPage };

/** @throws AppError not_found */
const storedRun = async (workspaceId: string, runId: string, lastSeq: number | undefined): Promise<StoredRun> => {
  const run = await getRun(workspaceId, runId);
  if (!run) throw new AppError("not_found");
  const isWhole = lastSeq === undefined || lastSeq >= run.version - 1;
  const [version, page] = await Promise.all([
    getVersion(workspaceId, run.graphHash),
    isWhole ? ledgerPage(workspaceId, runId, -1, ALL) : pageUntil(workspaceId, run, lastSeq),
  ]);
  if (!version || !page) throw new AppError("not_found");

  return { run, version, page };
};

const openStored = async (workspaceId: string, { run, version, page }: StoredRun, clearance: Classification | null): Promise<OpenedRun> => {
  const [shreds, passkeys, handovers] = await Promise.all([
    shredsOf(workspaceId, page.cells),
    passkeysOf(workspaceId, page.records),
    handoversBeside(),
  ]);
  const cells = openCells(webVault(), workspaceId, page.cells, clearance);
  const { head } = page;
  const records = seenRecords(page.records);

  return { run, version, ledger: { workspace: workspaceId, run: run.id, records, cells, head, shreds, passkeys, handovers } };
};

/**
 * Not verified yet.
 * @param clearance null opens every value: then nothing of it may be sent
 * @throws AppError not_found
 */
export const openedRun = async (workspaceId: string, runId: string, clearance: Classification | null): Promise<OpenedRun> =>
  openStored(workspaceId, await storedRun(workspaceId, runId, undefined), clearance);

/**
 * @param lastSeq the last record that is read; absent: the last one there is
 * @throws AppError refused when the ledger does not verify: nobody is shown a state that nobody signed
 */
export const verifiedRun = async (
  workspaceId: string,
  runId: string,
  clearance: Classification | null,
  lastSeq?: number,
): Promise<OpenedRun> => {
  const [stored, keys] = await Promise.all([storedRun(workspaceId, runId, lastSeq), listPublicKeys()]);
  void verifyAhead(stored.page.records, keys);
  const opened = await openStored(workspaceId, stored, clearance);
  const verified = await verifyLedger(opened.ledger, keys, undefined, verifyUnseen);
  if (!verified.ok) {
    throw new AppError("refused", {
      refusal: "run_frozen",
      message: `The run's ledger does not verify: record ${verified.seq}, ${verified.reason}. Nothing can be decided in it.`,
    });
  }

  return opened;
};

export type Replayed = {
  readonly run: RunRow;
  readonly version: StoredVersion;
  /** What the run executes: the stored version, with what forks replaced in it. */
  readonly published: PublishedGraph;
  readonly records: readonly SignedRecord[];
  /** Holds the values up to the clearance that it was opened with. */
  readonly state: RunState;
  /** The state as it was after this record; it holds values like `state`. */
  readonly at: (seq: number) => RunState;
};

/**
 * The run's state now, computed on the server.
 * @param clearance null (the default): the state holds values that the reader may not see, so only views of it are sent
 * @param lastSeq the record after which the state is asked for, of which a fork's first own one is the earliest; absent: now
 * @throws AppError not_found, or refused when the ledger does not verify
 */
export const replayRun = async (
  workspaceId: string,
  runId: string,
  clearance: Classification | null = null,
  lastSeq?: number,
): Promise<Replayed> => {
  const { run, version, ledger } = await verifiedRun(workspaceId, runId, clearance, lastSeq);
  const replayed = replay(ledger, run.graphHash);

  return {
    run,
    version,
    published: publishedOf(version.published, replayed.state),
    ...replayed,
    at: (seq) => (seq === replayed.state.version - 1 ? replayed.state : stateAt(entriesIn(ledger), seq)),
  };
};
