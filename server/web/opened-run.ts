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
import { ledgerPage } from "@/server/store/ledger-page";
import { passkeysOf } from "@/server/store/passkeys";
import { getRun, type RunRow } from "@/server/store/runs";
import { handoversBeside, listPublicKeys } from "@/server/store/signing-keys";
import { webVault } from "./web-vault";
import { openCells } from "./open-cells";

/** Far more than any run's iteration limit allows. */
const ALL = 1_000_000;

export type OpenedRun = { readonly run: RunRow; readonly version: StoredVersion; readonly ledger: LedgerExport };

/**
 * Not verified yet.
 * @param clearance null opens every value: then nothing of it may be sent
 * @throws AppError not_found
 */
export const openedRun = async (workspaceId: string, runId: string, clearance: Classification | null): Promise<OpenedRun> => {
  const run = await getRun(workspaceId, runId);
  const version = run && (await getVersion(workspaceId, run.graphHash));
  const page = run && (await ledgerPage(workspaceId, runId, -1, ALL));
  if (!run || !version || !page) throw new AppError("not_found");
  const cells = openCells(webVault(), workspaceId, page.cells, clearance);

  const shreds = await shredsOf(workspaceId, page.cells);
  const passkeys = await passkeysOf(workspaceId, page.records);

  const handovers = await handoversBeside();
  const { records, head } = page;

  return { run, version, ledger: { workspace: workspaceId, run: runId, records, cells, head, shreds, passkeys, handovers } };
};

/** @throws AppError refused when the ledger does not verify: nobody is shown a state that nobody signed */
export const verifiedRun = async (workspaceId: string, runId: string, clearance: Classification | null): Promise<OpenedRun> => {
  const opened = await openedRun(workspaceId, runId, clearance);
  const verified = await verifyLedger(opened.ledger, await listPublicKeys());
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
 * @throws AppError not_found, or refused when the ledger does not verify
 */
export const replayRun = async (workspaceId: string, runId: string, clearance: Classification | null = null): Promise<Replayed> => {
  const { run, version, ledger } = await verifiedRun(workspaceId, runId, clearance);
  const replayed = replay(ledger, run.graphHash);

  return {
    run,
    version,
    published: publishedOf(version.published, replayed.state),
    ...replayed,
    at: (seq) => stateAt(entriesIn(ledger), seq),
  };
};
