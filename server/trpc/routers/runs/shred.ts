import { z } from "zod";
import { shredScopeSchema } from "@/lib/engine/ledger/shred";
import { shredReasonSchema } from "@/lib/engine/ledger/shred-reason";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { createProcedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

const input = z.strictObject({ runId: z.uuid(), scope: shredScopeSchema, reason: shredReasonSchema });

/** Takes admin with auditor add-on. @returns `record`: the workspace record naming the cells */
export const runsShred = createProcedure("cell.shred")
  .input(input)
  .mutation(async ({ ctx, input: { runId: run, scope, reason } }) => {
    const { workspaceId } = ctx;
    const body = { kind: "shred", run, scope, reason } as const;
    const { seq: record } = await submitCommand({ workspaceId, author: ctx.author, runId: getWorkspaceLedgerId(workspaceId), body });

    return { record };
  });
