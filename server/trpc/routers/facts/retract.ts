import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { factCommandSchema } from "@/lib/facts/command";
import { createProcedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

export const factsRetract = createProcedure("fact.retract")
  .input(factCommandSchema.omit({ kind: true }))
  .mutation(async ({ ctx: { workspaceId, author }, input }) => {
    const runId = getWorkspaceLedgerId(workspaceId);
    const { seq } = await submitCommand({ workspaceId, author, runId, body: { kind: "fact_retract", ...input } });

    return { record: seq };
  });
