import { oidcName } from "@/server/auth/oidc";
import { identityOf } from "@/server/store/people/identities";
import { procedure } from "@/server/trpc/init";

/** One's linked identity and the provider available for linking; null: none. */
export const sessionIdentity = procedure("settings.own").query(async ({ ctx }) => ({
  provider: oidcName(),
  identity: await identityOf(ctx.workspaceId, ctx.user.id),
}));
