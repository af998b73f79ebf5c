import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { emailSchema, INVITE_LIFE_MS, standingSchema } from "@/lib/people/command";
import { hashSetupToken, generateSetupToken } from "@/server/auth/setup-token";
import { systemClock } from "@/server/clock";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Returns the link's token, which is not stored. */
export const peopleInvite = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ email: emailSchema, ...standingSchema.shape, signed: adminSignatureSchema.exactOptional() }))
  .mutation(async ({ ctx, input: { email, signed, ...standing } }) => {
    const token = generateSetupToken();
    const { record } = await submitToWorkspace(ctx, {
      kind: "people_invite",
      invite: systemClock.id(),
      hash: hashSetupToken(token),
      email,
      standing,
      ...(signed ? { signed } : {}),
    });

    return { record, token, expiresAt: systemClock.now() + INVITE_LIFE_MS };
  });
