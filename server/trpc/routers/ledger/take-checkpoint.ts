import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { createProcedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

/** Returns its record count; without new records, the current one's. */
export const ledgerTakeCheckpoint = createProcedure("ledger.checkpoint").mutation(async ({ ctx }) => {
  const { workspaceId } = ctx;
  const runId = getWorkspaceLedgerId(workspaceId);
  const { seq: count } = await submitCommand({ workspaceId, author: ctx.author, runId, body: { kind: "checkpoint" } });

  return { count };
});
