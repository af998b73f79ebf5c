import { z } from "zod";
import { editedSchema } from "@/lib/engine/approvals/edited-form";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { hexDigestSchema } from "@/lib/hash";
import { getApproval } from "@/server/store/approvals/approvals";
import { createProcedure } from "@/server/trpc/init";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand, type Submission } from "@/server/web/submit-command";

const input = z.strictObject({
  approvalId: z.uuid(),
  transitionDigest: hexDigestSchema,
  nonce: z.uuid(),
  change: editedSchema,
  reason: z.string().trim().min(1).max(2_000).optional(),
});

/** Replaces the proposal; another person must approve. */
export const approvalsEdit = createProcedure("approval.decide")
  .input(input)
  .mutation(async ({ ctx, input: { approvalId, transitionDigest, reason, ...edit } }) => {
    const approval = await getApproval(ctx.workspaceId, approvalId);
    const command: Submission = {
      workspaceId: ctx.workspaceId,
      author: ctx.author,
      runId: approval?.runId ?? getWorkspaceLedgerId(ctx.workspaceId),
      body: {
        kind: "edit",
        approval_id: approvalId,
        transition_digest: transitionDigest,
        ...edit,
        ...(reason === undefined ? {} : { reason }),
      },
    };

    return approval ? submitCommand(command) : refuseAttempt(command);
  });
