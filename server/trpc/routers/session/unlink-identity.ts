import { identitySchema } from "@/lib/people/identity";
import { procedure } from "@/server/trpc/init";
import { submitPeople } from "@/server/trpc/routers/people/submit";

/** Ends signing in with an identity, and all of one's sessions but this one. */
export const sessionUnlinkIdentity = procedure("settings.own", { fresh: true })
  .input(identitySchema)
  .mutation(({ ctx, input: identity }) =>
    submitPeople(ctx, { kind: "people_unlink_identity", user: ctx.user.id, identity, keep: ctx.session.id }),
  );
