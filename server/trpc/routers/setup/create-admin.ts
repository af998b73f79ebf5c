import { z } from "zod";
import { AppError } from "@/lib/errors";
import { firstAdminSchema } from "@/lib/first-admin";
import { hashPassword } from "@/server/auth/password";
import { hashSetupToken } from "@/server/auth/setup-token";
import { systemClock } from "@/server/clock";
import { isSetupTokenOpen } from "@/server/store/people/setup";
import { publicProcedure } from "@/server/trpc/init";
import { getRefusal, submitFor } from "@/server/web/membership";
import { setupAttempts } from "./attempts";

const inputSchema = z.strictObject({ ...firstAdminSchema.shape, token: z.string().min(1).max(200) });

const explain = (error: unknown): unknown => {
  const refusal = getRefusal(error);
  if (refusal === "not_found") return new AppError("setup_link_invalid");

  return refusal === "person_known" ? new AppError("conflict", { message: "An account with this address already exists." }) : error;
};

export const setupCreateAdmin = publicProcedure.input(inputSchema).mutation(async ({ ctx, input }) => {
  if (!setupAttempts.take(ctx.address)) throw new AppError("rate_limited");

  // Password hashing is expensive, so a link comes first.
  if (!(await isSetupTokenOpen(hashSetupToken(input.token), systemClock.now()))) throw new AppError("setup_link_invalid");

  const id = systemClock.id();
  const email = input.email.toLowerCase();
  await submitFor(systemClock.id(), id, {
    kind: "workspace_found",
    setup: input.token,
    name: input.workspaceName,
    people: [{ id, name: input.name, email, role: "admin", password_hash: await hashPassword(input.password) }],
  }).catch((error: unknown) => {
    throw explain(error);
  });

  return { email };
});
