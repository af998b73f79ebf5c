import { z } from "zod";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import { AppError } from "@/lib/errors";
import { newPasswordSchema } from "@/lib/first-admin";
import { hashPassword } from "@/server/auth/password";
import { proveAccount } from "@/server/auth/password-sign-in";
import { systemClock } from "@/server/clock";
import { revokeOtherSessions } from "@/server/store/sessions";
import { procedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

const input = z.strictObject({ current: z.string().min(1).max(200), next: newPasswordSchema });

/** Changes one's own password and ends one's other sessions: whoever knew the old one is out. */
export const sessionChangePassword = procedure("settings.own")
  .input(input)
  .mutation(async ({ ctx, input: { current, next } }) => {
    const outcome = await proveAccount(ctx.user.id, current);
    if (outcome === "rate_limited") throw new AppError("rate_limited");
    if (outcome === "denied") throw new AppError("forbidden", { message: "That is not the password of this account." });
    const { author, workspaceId } = ctx;
    const body = { kind: "password_set", password_hash: await hashPassword(next) } as const;
    await submitCommand({ workspaceId, author, runId: workspaceLedgerId(workspaceId), body });

    return { ended: await revokeOtherSessions(ctx.user.id, ctx.session.id, new Date(systemClock.now())) };
  });
