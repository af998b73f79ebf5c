import { identitySchema } from "@/lib/people/identity";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Also ends one's other sessions. */
export const sessionUnlinkIdentity = createProcedure("settings.own", { fresh: true })
  .input(identitySchema)
  .mutation(({ ctx, input: identity }) =>
    submitToWorkspace(ctx, { kind: "people_unlink_identity", user: ctx.user.id, identity, keep: ctx.session.id }),
  );
