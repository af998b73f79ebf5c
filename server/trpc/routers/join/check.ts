import { z } from "zod";
import { AppError } from "@/lib/errors";
import { publicProcedure } from "@/server/trpc/init";
import { confirmInvite } from "@/server/web/open-invite";
import { joinAttempts } from "./attempts";

/** Returns null when void. */
export const joinCheck = publicProcedure.input(z.strictObject({ token: z.string().max(200) })).query(async ({ ctx, input }) => {
  if (!joinAttempts.take(ctx.address)) throw new AppError("rate_limited");

  const invite = await confirmInvite(input.token);
  if (!invite) return { invite };
  const { email, role, auditor, workspace, known } = invite;

  return { invite: { email, role, auditor, workspace, known } };
});
