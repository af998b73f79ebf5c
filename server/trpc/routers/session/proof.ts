import { AppError } from "@/lib/errors";
import { findMember } from "@/server/store/people/users";
import { procedure } from "@/server/trpc/init";

/**
 * How one's own account proves that it is still its person: by the password; by a button, which is all that a demo account
 * without a password can offer; or by signing in anew where the account is kept.
 */
export const sessionProof = procedure("settings.own").query(async ({ ctx }): Promise<"password" | "button" | "sign_in"> => {
  const member = await findMember(ctx.user.id);
  if (member === null) throw new AppError("unauthenticated");
  if (member.user.hasPassword) return "password";

  return member.user.demo ? "button" : "sign_in";
});
