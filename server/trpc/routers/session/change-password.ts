import { z } from "zod";
import { newPasswordSchema } from "@/lib/first-admin";
import { hashPassword } from "@/server/auth/password";
import { openSessionsOf } from "@/server/auth/session";
import { createProcedure } from "@/server/trpc/init";
import { proveSession } from "@/server/web/ask-sign-in";
import { submitToWorkspace } from "@/server/web/submit-command";

const input = z.strictObject({ current: z.string().min(1).max(200), next: newPasswordSchema });

/** Also ends one's other sessions. */
export const sessionChangePassword = createProcedure("settings.own")
  .input(input)
  .mutation(async ({ ctx, input: { current, next } }) => {
    // The runner requires a freshly proved session.
    await proveSession(ctx.user.id, ctx.session, current);
    const others = (await openSessionsOf(ctx.workspaceId, ctx.user.id)).filter(({ id }) => id !== ctx.session.id);
    await submitToWorkspace(ctx, { kind: "password_set", password_hash: await hashPassword(next) });

    return { ended: others.length };
  });
