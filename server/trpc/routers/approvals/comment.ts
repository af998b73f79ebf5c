import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { submitToApproval } from "@/server/trpc/run-commands";

export const approvalsComment = createProcedure("approval.comment")
  .input(z.strictObject({ approvalId: z.uuid(), text: z.string().trim().min(1).max(2_000) }))
  .mutation(({ ctx, input: { approvalId, text } }) => submitToApproval(ctx, { kind: "comment", approval_id: approvalId, text }));
