import { policyPlaceSchema, policyRequestSchema, signedPolicyRequestSchema } from "@/lib/approval-policy/command";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Requires a passkey for class write or higher. */
export const policyRaise = createProcedure("people.manage", { fresh: true })
  .input(policyPlaceSchema)
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "policy_raise", ...input }));

/** Requests a second admin's consent. */
export const policyLower = createProcedure("people.manage", { fresh: true })
  .input(signedPolicyRequestSchema)
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "policy_lower", ...input }));

export const policyConfirm = createProcedure("people.manage", { fresh: true })
  .input(signedPolicyRequestSchema)
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "policy_confirm", ...input }));

/** Declines or withdraws the open request. */
export const policyDecline = createProcedure("people.manage")
  .input(policyRequestSchema)
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "policy_decline", ...input }));
