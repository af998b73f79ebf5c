import { z } from "zod";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import { uuidSchema } from "@/lib/ids";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

const signedRequest = z.strictObject({ request: uuidSchema, assertion: assertionSchema.exactOptional() });

/** Requires a passkey for class write or higher. */
export const policyRaise = createProcedure("people.manage", { fresh: true }).mutation(({ ctx }) =>
  submitToWorkspace(ctx, { kind: "policy_raise" }),
);

/** Requests a second admin's consent. */
export const policyLower = createProcedure("people.manage", { fresh: true })
  .input(signedRequest)
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "policy_lower", ...input }));

export const policyConfirm = createProcedure("people.manage", { fresh: true })
  .input(signedRequest)
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "policy_confirm", ...input }));

/** Declines or withdraws the open request. */
export const policyDecline = createProcedure("people.manage")
  .input(z.strictObject({ request: uuidSchema }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "policy_decline", ...input }));
