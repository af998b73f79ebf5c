import { z } from "zod";
import { emailSchema, INVITE_LIFE_MS, standingSchema } from "@/lib/people/command";
import { hashSetupToken, newSetupToken } from "@/server/auth/setup-token";
import { systemClock } from "@/server/clock";
import { procedure } from "@/server/trpc/init";
import { submitPeople } from "./submit";

/** Invites one person, once. @returns the token of the link: it is not kept, so it is not shown again */
export const peopleInvite = procedure("people.manage", { fresh: true })
  .input(z.strictObject({ email: emailSchema, ...standingSchema.shape }))
  .mutation(async ({ ctx, input: { email, ...standing } }) => {
    const token = newSetupToken();
    const { record } = await submitPeople(ctx, {
      kind: "people_invite",
      invite: systemClock.id(),
      hash: hashSetupToken(token),
      email,
      standing,
    });

    return { record, token, expiresAt: systemClock.now() + INVITE_LIFE_MS };
  });
