import { AppError } from "@/lib/errors";
import { LINK_MS } from "@/lib/people/fresh-proof";
import { getOidcName } from "@/server/auth/oidc";
import { systemClock } from "@/server/clock";
import { toIdentity } from "@/server/store/people/identities";
import { allowLink } from "@/server/store/people/sessions";
import { createProcedure } from "@/server/trpc/init";

const refused = (message: string): AppError => new AppError("bad_request", { message });

/** Links the next identity within ten minutes. */
export const sessionLinkIdentity = createProcedure("settings.own", { fresh: true }).mutation(async ({ ctx }) => {
  if (getOidcName() === null) throw refused("This installation has no identity provider.");
  if (ctx.isDemo) throw refused("Demo accounts can't be linked.");
  if (await toIdentity(ctx.workspaceId, ctx.user.id)) throw new AppError("refused", { refusal: "identity_known" });
  const untilMs = systemClock.now() + LINK_MS;
  await allowLink(ctx.session.id, new Date(untilMs));

  return { untilMs };
});
