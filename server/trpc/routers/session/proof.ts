import { AppError } from "@/lib/errors";
import { findMember } from "@/server/store/people/users";
import { createProcedure } from "@/server/trpc/init";

export const sessionProof = createProcedure("settings.own").query(async ({ ctx }): Promise<"password" | "button" | "sign_in"> => {
  const member = await findMember(ctx.user.id, ctx.session.id);
  if (member === null) throw new AppError("unauthenticated");
  if (member.user.hasPassword) return "password";

  return member.user.demo ? "button" : "sign_in";
});
