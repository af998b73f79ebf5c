import { z } from "zod";
import { shredScopeSchema } from "@/lib/engine/ledger/shred";
import { shredReasonSchema } from "@/lib/engine/ledger/shred-reason";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

const input = z.strictObject({ runId: z.uuid(), scope: shredScopeSchema, reason: shredReasonSchema });

/** Takes admin and auditor add-on. @returns `record`: workspace record naming the cells */
export const runsShred = createProcedure("cell.shred")
  .input(input)
  .mutation(({ ctx, input: { runId: run, ...asked } }) => submitToWorkspace(ctx, { kind: "shred", run, ...asked }));
