import { z } from "zod";
import { AppError } from "@/lib/errors";
import { proveAccount } from "@/server/auth/password-sign-in";
import { systemClock } from "@/server/clock";
import { proveSession } from "@/server/store/sessions";
import { procedure } from "@/server/trpc/init";

/** Null from the demo's accounts, which have none. */
const input = z.strictObject({ password: z.string().min(1).max(200).nullable() });

/** Proves that one is still the person of this session: for five minutes it may do what takes a fresh proof. */
export const sessionProve = procedure("settings.own")
  .input(input)
  .mutation(async ({ ctx, input: { password } }) => {
    const outcome = await proveAccount(ctx.user.id, password);
    if (outcome === "rate_limited") throw new AppError("rate_limited");
    if (outcome === "denied") throw new AppError("forbidden", { message: "That is not the password of this account." });
    const nowMs = systemClock.now();
    await proveSession(ctx.session.id, new Date(nowMs));

    return { provedAtMs: nowMs };
  });
