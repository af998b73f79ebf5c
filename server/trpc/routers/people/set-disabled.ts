import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Disabling ends their sessions. */
export const peopleSetDisabled = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ userId: z.uuid(), disabled: z.boolean(), signed: adminSignatureSchema.exactOptional() }))
  .mutation(({ ctx, input: { userId: user, disabled, signed } }) =>
    submitToWorkspace(ctx, disabled ? { kind: "people_disable", user } : { kind: "people_enable", user, ...(signed ? { signed } : {}) }),
  );
