import { openAllowance } from "@/lib/engine/ledger/passkey-fold";
import { systemClock } from "@/server/clock";
import { listPasskeys } from "@/server/store/people/passkeys";
import { procedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";

/** The passkeys of whoever asks, revoked ones included, whom a signature with one of them is of, and whether they may add one. */
export const passkeysList = procedure("settings.own").query(async ({ ctx }) => {
  const [passkeys, authority] = await Promise.all([listPasskeys(ctx.workspaceId, ctx.user.id), readAuthority(ctx.workspaceId)]);
  const allowance = openAllowance(authority.passkeys, ctx.user.id, systemClock.now());

  return {
    workspace: ctx.workspaceId,
    user: ctx.user.id,
    passkeys,
    /** Until when one may be added without a signature, ms since 1970; null: not now. */
    allowedUntil: allowance?.expiresAt ?? null,
  };
});
