import { z } from "zod";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import { findingSchema } from "@/lib/engine/approvals/case";
import { decisionSchema } from "@/lib/engine/event";
import { inputAnswersSchema } from "@/lib/engine/approvals/tool-input";
import { viewingSchema } from "@/lib/engine/approvals/viewing";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { hexDigestSchema } from "@/lib/hash";
import { getDecisionProofMs } from "@/lib/people/fresh-proof";
import { getApproval } from "@/server/store/approvals/approvals";
import { createProcedure } from "@/server/trpc/init";
import { toDecision } from "@/server/trpc/run-commands";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand, type Submission } from "@/server/web/submit-command";

const input = z.strictObject({
  approvalId: z.uuid(),
  transitionDigest: hexDigestSchema,
  viewDigest: hexDigestSchema,
  /** `abstain` and findings are for case reviewers. */
  decision: decisionSchema,
  findings: z.array(findingSchema).max(100).optional(),
  reason: z.string().trim().min(1).max(2_000).optional(),
  nonce: z.uuid(),
  /** Passkey signature over the rest. */
  assertion: assertionSchema.optional(),
  answers: inputAnswersSchema.optional(),
  viewing: viewingSchema.optional(),
});

/** Submits a decision; the runner decides whether it counts. */
export const approvalsDecide = createProcedure("approval.decide", { fresh: "sometimes" })
  .input(input)
  .mutation(async ({ ctx, input: written }) => {
    const approval = await getApproval(ctx.workspaceId, written.approvalId);
    if (approval && getDecisionProofMs(written, approval.authority)) ctx.demandFresh();
    const command: Submission = {
      workspaceId: ctx.workspaceId,
      author: ctx.author,
      runId: approval?.runId ?? getWorkspaceLedgerId(ctx.workspaceId),
      body: toDecision(written),
    };

    return approval ? submitCommand(command) : refuseAttempt(command);
  });
