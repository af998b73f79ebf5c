import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { identitySchema } from "@/lib/people/identity";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Also ends their sessions. */
export const peopleUnlinkIdentity = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ userId: z.uuid(), identity: identitySchema, signed: adminSignatureSchema.exactOptional() }))
  .mutation(({ ctx, input: { userId: user, identity, signed } }) => {
    const keep = user === ctx.user.id ? ctx.session.id : null;

    return submitToWorkspace(ctx, { kind: "people_unlink_identity", user, identity, keep, ...(signed ? { signed } : {}) });
  });
