import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Returns its record count; without new records, the current one's. */
export const ledgerTakeCheckpoint = createProcedure("ledger.checkpoint").mutation(async ({ ctx }) => {
  const { record: count } = await submitToWorkspace(ctx, { kind: "checkpoint" });

  return { count };
});
