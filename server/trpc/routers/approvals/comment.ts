import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { commentFields, toCommentBody } from "@/server/trpc/routers/comments/input";
import { submitToApproval } from "@/server/trpc/run-commands";

export const approvalsComment = createProcedure("approval.comment")
  .input(z.strictObject({ approvalId: z.uuid(), ...commentFields }))
  .mutation(({ ctx, input: { approvalId, ...fields } }) =>
    submitToApproval(ctx, { kind: "comment", approval_id: approvalId, ...toCommentBody(fields) }),
  );
