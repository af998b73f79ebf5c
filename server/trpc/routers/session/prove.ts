import { z } from "zod";
import { createProcedure } from "@/server/trpc/init";
import { proveSession } from "@/server/web/ask-sign-in";

/** Null for demo accounts. */
const input = z.strictObject({ password: z.string().min(1).max(200).nullable() });

/** Steps up for five minutes. */
export const sessionProve = createProcedure("settings.own")
  .input(input)
  .mutation(async ({ ctx, input: { password } }) => ({ provedAtMs: await proveSession(ctx.user.id, ctx.session, password) }));
