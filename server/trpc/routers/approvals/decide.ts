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
  .mutation(
    async ({ ctx, input: { approvalId, transitionDigest, viewDigest, reason, findings, assertion, answers, viewing, ...decision } }) => {
      const approval = await getApproval(ctx.workspaceId, approvalId);
      const proof = approval && getDecisionProofMs({ decision: decision.decision, assertion }, approval.authority);
      if (proof) ctx.demandFresh();
      const command: Submission = {
        workspaceId: ctx.workspaceId,
        author: ctx.author,
        runId: approval?.runId ?? getWorkspaceLedgerId(ctx.workspaceId),
        body: {
          kind: "decision",
          approval_id: approvalId,
          transition_digest: transitionDigest,
          view_digest: viewDigest,
          ...decision,
          ...(reason === undefined ? {} : { reason }),
          ...(findings === undefined ? {} : { findings }),
          ...(assertion === undefined ? {} : { assertion }),
          ...(answers === undefined ? {} : { answers }),
          ...(viewing === undefined ? {} : { viewing }),
        },
      };

      return approval ? submitCommand(command) : refuseAttempt(command);
    },
  );
