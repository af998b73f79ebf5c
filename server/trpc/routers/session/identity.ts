import { getOidcName } from "@/server/auth/oidc";
import { toIdentity } from "@/server/store/people/identities";
import { createProcedure } from "@/server/trpc/init";

export const sessionIdentity = createProcedure("settings.own").query(async ({ ctx }) => ({
  provider: getOidcName(),
  identity: await toIdentity(ctx.workspaceId, ctx.user.id),
}));
