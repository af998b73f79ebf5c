/** A run's state now, computed on the server from a ledger that verifies. */
import { AppError } from "@/lib/errors";
import { publishedOf } from "@/lib/engine/fork";
import type { PublishedGraph } from "@/lib/graph/document";
import type { SignedRecord } from "@/lib/engine/record";
import type { RunState } from "@/lib/engine/state";
import { verifyLedger } from "@/lib/engine/verify";
import { replay } from "@/server/runner/load";
import { getVersion, type StoredVersion } from "@/server/store/graph-versions";
import { ledgerPage } from "@/server/store/ledger-page";
import { getRun, type RunRow } from "@/server/store/runs";
import { listPublicKeys } from "@/server/store/signing-keys";
import { webVault } from "./web-vault";
import { openCells } from "./wire";

/** Far more than any run's iteration limit allows. */
const ALL = 1_000_000;

export type Replayed = {
  readonly run: RunRow;
  readonly version: StoredVersion;
  readonly published: PublishedGraph;
  readonly records: readonly SignedRecord[];
  /** Holds values that the reader may not see: it is never sent, only views of it are. */
  readonly state: RunState;
};

/** @throws AppError not_found, or refused when the ledger does not verify: nobody is shown a state that nobody signed */
export const replayRun = async (workspaceId: string, runId: string): Promise<Replayed> => {
  const run = await getRun(workspaceId, runId);
  const version = run && (await getVersion(workspaceId, run.graphHash));
  const page = run && (await ledgerPage(workspaceId, runId, -1, ALL));
  if (!run || !version || !page) throw new AppError("not_found");
  const cells = openCells(webVault(), workspaceId, page.cells, null);
  const ledger = { workspace: workspaceId, run: runId, records: page.records, cells, head: page.head };
  const verified = await verifyLedger(ledger, await listPublicKeys());
  if (!verified.ok) {
    throw new AppError("refused", {
      refusal: "run_frozen",
      message: `The run's ledger does not verify: record ${verified.seq}, ${verified.reason}. Nothing can be decided in it.`,
    });
  }

  const replayed = replay(ledger, run.graphHash);

  return { run, version, published: publishedOf(version.published, replayed.state), ...replayed };
};
