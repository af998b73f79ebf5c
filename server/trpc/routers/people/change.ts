import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { standingSchema } from "@/lib/people/command";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

/** `was` protects unseen changes. */
export const peopleChange = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ userId: z.uuid(), was: standingSchema, ...standingSchema.shape, signed: adminSignatureSchema.exactOptional() }))
  .mutation(({ ctx, input: { userId: user, was, signed, ...standing } }) =>
    submitToWorkspace(ctx, { kind: "people_change", user, was, standing, ...(signed ? { signed } : {}) }),
  );
