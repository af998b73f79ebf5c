import { listPasskeys } from "@/server/store/passkeys";
import { procedure } from "@/server/trpc/init";

/** The passkeys of whoever asks, revoked ones included, and whom a signature with one of them is of. */
export const passkeysList = procedure("settings.own").query(async ({ ctx }) => ({
  workspace: ctx.workspaceId,
  user: ctx.user.id,
  passkeys: await listPasskeys(ctx.workspaceId, ctx.user.id),
}));
