import { z } from "zod";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import { uuidSchema } from "@/lib/ids";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

export const passkeysAllow = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ userId: uuidSchema, allowance: uuidSchema, assertion: assertionSchema.exactOptional() }))
  .mutation(({ ctx, input: { userId: user, ...asked } }) => submitToWorkspace(ctx, { kind: "passkey_allow", user, ...asked }));
