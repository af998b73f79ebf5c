import { z } from "zod";
import { AppError } from "@/lib/errors";
import { hashSetupToken } from "@/server/auth/setup-token";
import { systemClock } from "@/server/clock";
import { isSetupTokenOpen } from "@/server/store/people/setup";
import { publicProcedure } from "@/server/trpc/init";
import { setupAttempts } from "./attempts";

export const setupCheckLink = publicProcedure.input(z.strictObject({ token: z.string().max(200) })).query(async ({ ctx, input }) => {
  if (!setupAttempts.take(ctx.address)) throw new AppError("rate_limited");

  return { isOpen: await isSetupTokenOpen(hashSetupToken(input.token), systemClock.now()) };
});
