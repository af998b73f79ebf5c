import { z } from "zod";
import { AppError } from "@/lib/errors";
import { newAccountSchema } from "@/lib/first-admin";
import { hashPassword } from "@/server/auth/password";
import { hashSetupToken } from "@/server/auth/setup-token";
import { systemClock } from "@/server/clock";
import { findOpenInvite, joinByLink } from "@/server/store/invites";
import { publicProcedure } from "@/server/trpc/init";
import { joinAttempts } from "./attempts";

const input = z.strictObject({ ...newAccountSchema.shape, token: z.string().min(1).max(200) });

/** Makes the account that an invite's link stands for, with a name and a password of its person's own. */
export const joinAccept = publicProcedure.input(input).mutation(async ({ ctx, input: { token, name, password } }) => {
  if (!joinAttempts.take(ctx.address)) throw new AppError("rate_limited");

  const hash = hashSetupToken(token);
  // Hashing a password is expensive on purpose: nobody without an invite can ask for it.
  if (!(await findOpenInvite(hash, new Date(systemClock.now())))) throw new AppError("invite_invalid");

  const newcomer = { userId: systemClock.id(), name, passwordHash: await hashPassword(password) };
  const email = await joinByLink(hash, newcomer, new Date(systemClock.now()));
  if (email === null) throw new AppError("invite_invalid");

  return { email };
});
