import { z } from "zod";
import { AppError } from "@/lib/errors";
import { newAccountSchema } from "@/lib/first-admin";
import { hashPassword } from "@/server/auth/password";
import { systemClock } from "@/server/clock";
import { publicProcedure } from "@/server/trpc/init";
import { getRefusal, submitFor } from "@/server/web/membership";
import { confirmInvite } from "@/server/web/open-invite";
import { joinAttempts } from "./attempts";

const input = z.strictObject({ ...newAccountSchema.shape, token: z.string().min(1).max(200) });

export const joinAccept = publicProcedure.input(input).mutation(async ({ ctx, input: { token, name, password } }) => {
  if (!joinAttempts.take(ctx.address)) throw new AppError("rate_limited");

  // Password hashing is expensive, so an invite comes first.
  const invite = await confirmInvite(token);
  if (!invite) throw new AppError("invite_invalid");

  const body = { kind: "member_join", token, name, password_hash: await hashPassword(password) } as const;
  await submitFor(invite.workspaceId, systemClock.id(), body).catch((error: unknown) => {
    throw getRefusal(error) === null ? error : new AppError("invite_invalid");
  });

  return { email: invite.email };
});
