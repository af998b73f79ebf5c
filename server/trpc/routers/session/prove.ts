import { z } from "zod";
import { procedure } from "@/server/trpc/init";
import { proveSession } from "@/server/web/ask-sign-in";

/** Null from the demo's accounts, which have none. */
const input = z.strictObject({ password: z.string().min(1).max(200).nullable() });

/** Proves that one is still the person of this session: for five minutes it may do what takes a fresh proof. */
export const sessionProve = procedure("settings.own")
  .input(input)
  .mutation(async ({ ctx, input: { password } }) => ({ provedAtMs: await proveSession(ctx.user.id, ctx.session, password) }));
