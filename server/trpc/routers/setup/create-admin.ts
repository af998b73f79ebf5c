import { z } from "zod";
import { AppError } from "@/lib/errors";
import { firstAdminSchema } from "@/lib/first-admin";
import { hashPassword } from "@/server/auth/password";
import { hashSetupToken } from "@/server/auth/setup-token";
import { systemClock } from "@/server/clock";
import { createFirstAdmin, isSetupTokenOpen } from "@/server/store/setup";
import { publicProcedure } from "@/server/trpc/init";
import { setupAttempts } from "./attempts";

const inputSchema = z.strictObject({ ...firstAdminSchema.shape, token: z.string().min(1).max(200) });

/** Creates the first admin with the one-time link of the first start. */
export const setupCreateAdmin = publicProcedure.input(inputSchema).mutation(async ({ ctx, input }) => {
  if (!setupAttempts.take(ctx.address)) throw new AppError("rate_limited");

  const tokenHash = hashSetupToken(input.token);
  // Hashing a password is expensive on purpose: nobody without a link can ask for it.
  if (!(await isSetupTokenOpen(tokenHash, systemClock.now()))) throw new AppError("setup_link_invalid");

  const admin = {
    workspaceId: systemClock.id(),
    workspaceName: input.workspaceName,
    userId: systemClock.id(),
    name: input.name,
    email: input.email.toLowerCase(),
    passwordHash: await hashPassword(input.password),
  };
  const outcome = await createFirstAdmin(tokenHash, admin, systemClock.now());
  if (outcome === "link_invalid") throw new AppError("setup_link_invalid");
  if (outcome === "email_taken") throw new AppError("conflict", { message: "There is an account with this address already." });

  return { email: admin.email };
});
