import { getPublished } from "@/lib/engine/forks/fork";
import { replay } from "@/lib/engine/ledger/replay";
import { verifyLedger } from "@/lib/engine/verify/verify";
import { buildWorkflowState } from "@/lib/engine/workflow-state";
import { openOperatorLedger } from "@/server/reading/operator-ledger";
import { openLedgerAt } from "@/server/runner/load";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { getVersion } from "@/server/store/graphs/versions";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { openVault, useInstalledDatabase } from "./installed";
import { findInstalledRun } from "./installed-run";
import { formatJsonLine } from "./problem";
import { openRemoteOf, REMOTE_OPTIONS } from "./remote/client";

/** Exit codes: 0, or 2 when the ledger does not verify. */
export const stateCommand: CliCommand = async (argv, host) => {
  const args = parseArguments(argv, "RUN", REMOTE_OPTIONS);
  const { operand } = args;
  const remote = openRemoteOf(args, host);
  if (remote) {
    await host.out(formatJsonLine(await remote.call("getRunState", { runId: operand })));

    return 0;
  }
  useInstalledDatabase(host);
  const { workspaceId, run } = await findInstalledRun(operand);
  const version = await getVersion(workspaceId, run.graphHash);
  if (!version) throw new CliFailure("the graph version of this run is no longer stored");
  const vault = openVault(host.home);
  const whole = await openLedgerAt(vault, { workspaceId, runId: run.id, version: run.version, digest: run.head });
  const verified = await verifyLedger(whole, await listPublicKeys());
  const { ledger, underReview } = await openOperatorLedger(vault, whole);
  const { state, records } = replay(ledger, run.graphHash);
  const shown = buildWorkflowState(
    getPublished(version.published, state),
    records.map(({ record }) => record),
    state,
    run.createdAt,
  );
  if (underReview > 0) await host.err(`countersign: ${underReview} values are under review and not shown\n`);
  if (!verified.ok) await host.err(`countersign: the ledger does not verify: ${verified.reason} at record ${verified.seq}\n`);
  await host.out(formatJsonLine(shown));

  return verified.ok ? 0 : 2;
};
