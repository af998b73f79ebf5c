import { openAllowance } from "@/lib/engine/ledger/passkey-fold";
import { systemClock } from "@/server/clock";
import { listPasskeys } from "@/server/store/people/passkeys";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";

/** Includes revoked ones. */
export const passkeysList = createProcedure("settings.own").query(async ({ ctx }) => {
  const [passkeys, authority] = await Promise.all([listPasskeys(ctx.workspaceId, ctx.user.id), readAuthority(ctx.workspaceId)]);
  const allowance = openAllowance(authority.passkeys, ctx.user.id, systemClock.now());

  return {
    workspace: ctx.workspaceId,
    user: ctx.user.id,
    passkeys,
    /** Deadline without a signature, ms since 1970. */
    allowedUntil: allowance?.expiresAt ?? null,
  };
});
