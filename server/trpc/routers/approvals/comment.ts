import { z } from "zod";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { getApproval } from "@/server/store/approvals/approvals";
import { createProcedure } from "@/server/trpc/init";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand, type Submission } from "@/server/web/submit-command";

export const approvalsComment = createProcedure("approval.comment")
  .input(z.strictObject({ approvalId: z.uuid(), text: z.string().trim().min(1).max(2_000) }))
  .mutation(async ({ ctx, input: { approvalId, text } }) => {
    const approval = await getApproval(ctx.workspaceId, approvalId);
    const command: Submission = {
      workspaceId: ctx.workspaceId,
      author: ctx.author,
      runId: approval?.runId ?? getWorkspaceLedgerId(ctx.workspaceId),
      body: { kind: "comment", approval_id: approvalId, text },
    };

    return approval ? submitCommand(command) : refuseAttempt(command);
  });
