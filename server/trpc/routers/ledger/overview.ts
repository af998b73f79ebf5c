import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { getTrustAnchor } from "@/server/security/trust-anchor";
import { listCheckpointsBelow, countLedger } from "@/server/store/workspaces/pages";
import { createProcedure } from "@/server/trpc/init";

export const ledgerOverview = createProcedure("run.read").query(async ({ ctx: { workspaceId } }) => {
  const [newest = null] = await listCheckpointsBelow(workspaceId, null, 1);

  return {
    workspace: workspaceId,
    ownLedger: getWorkspaceLedgerId(workspaceId),
    newest,
    counts: await countLedger(workspaceId),
    anchor: await getTrustAnchor(),
  };
});
