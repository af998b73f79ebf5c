import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { trustAnchor } from "@/server/security/trust-anchor";
import { checkpointsBelow, ledgerCounts } from "@/server/store/workspaces/pages";
import { procedure } from "@/server/trpc/init";

/** A workspace ledger's counts, newest checkpoint and keys. */
export const ledgerOverview = procedure("run.read").query(async ({ ctx: { workspaceId } }) => {
  const [newest = null] = await checkpointsBelow(workspaceId, null, 1);

  return {
    workspace: workspaceId,
    ownLedger: workspaceLedgerId(workspaceId),
    newest,
    counts: await ledgerCounts(workspaceId),
    anchor: await trustAnchor(),
  };
});
