import { z } from "zod";
import { AppError } from "@/lib/errors";
import { hexDigestSchema } from "@/lib/hash";
import { getApproval } from "@/server/store/approvals";
import { procedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/trpc/routers/runs/submit-command";

const input = z.strictObject({
  approval_id: z.uuid(),
  transition_digest: hexDigestSchema,
  /** Of the view that the browser rendered. */
  view_digest: hexDigestSchema,
  decision: z.enum(["approve", "reject"]),
  reason: z.string().trim().min(1).max(2_000).optional(),
  nonce: z.uuid(),
});

/** A person's decision. Everything else about the approval is loaded by the runner, which alone decides whether it counts. */
export const approvalsDecide = procedure("approval.decide")
  .input(input)
  .mutation(async ({ ctx, input: { reason, ...decision } }) => {
    const approval = await getApproval(ctx.workspaceId, decision.approval_id);
    if (!approval) throw new AppError("not_found");

    return submitCommand({
      workspaceId: ctx.workspaceId,
      userId: ctx.user.id,
      runId: approval.runId,
      body: { kind: "decision", ...decision, ...(reason === undefined ? {} : { reason }) },
    });
  });
