import { z } from "zod";
import { AppError } from "@/lib/errors";
import { hashSetupToken } from "@/server/auth/setup-token";
import { systemClock } from "@/server/clock";
import { findOpenInvite } from "@/server/store/invites";
import { publicProcedure } from "@/server/trpc/init";
import { joinAttempts } from "./attempts";

/** What an invite's link lets whoever has it become; null when it lets nobody in. */
export const joinCheck = publicProcedure.input(z.strictObject({ token: z.string().max(200) })).query(async ({ ctx, input }) => {
  if (!joinAttempts.take(ctx.address)) throw new AppError("rate_limited");

  return { invite: await findOpenInvite(hashSetupToken(input.token), new Date(systemClock.now())) };
});
