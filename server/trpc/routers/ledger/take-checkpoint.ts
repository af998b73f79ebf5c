import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { procedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

/** Asks the runner for a checkpoint now. @returns how many records it counts; without new ones it is the one that stands */
export const ledgerTakeCheckpoint = procedure("ledger.checkpoint").mutation(async ({ ctx }) => {
  const { workspaceId } = ctx;
  const runId = workspaceLedgerId(workspaceId);
  const { seq: count } = await submitCommand({ workspaceId, author: ctx.author, runId, body: { kind: "checkpoint" } });

  return { count };
});
