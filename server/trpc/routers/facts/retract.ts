import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { factCommandSchema } from "@/lib/facts/command";
import { createProcedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

/** Keeps a fact out of later runs. Returns the record's number in the workspace's ledger. */
export const factsRetract = createProcedure("fact.retract")
  .input(factCommandSchema.omit({ kind: true }))
  .mutation(async ({ ctx: { workspaceId, author }, input }) => {
    const runId = getWorkspaceLedgerId(workspaceId);
    const { seq } = await submitCommand({ workspaceId, author, runId, body: { kind: "fact_retract", ...input } });

    return { record: seq };
  });
