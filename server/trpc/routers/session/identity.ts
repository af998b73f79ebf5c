import { oidcName } from "@/server/auth/oidc";
import { identityOf } from "@/server/store/people/identities";
import { procedure } from "@/server/trpc/init";

/** The identity that one signs in with, and at which provider one could link one; null: none. */
export const sessionIdentity = procedure("settings.own").query(async ({ ctx }) => ({
  provider: oidcName(),
  identity: await identityOf(ctx.workspaceId, ctx.user.id),
}));
