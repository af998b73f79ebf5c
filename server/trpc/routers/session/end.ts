import { z } from "zod";
import { AppError } from "@/lib/errors";
import { openSessionsOf } from "@/server/auth/session";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Ends one session, or all others. */
export const sessionEnd = createProcedure("settings.own")
  .input(z.strictObject({ sessionId: z.uuid().nullable() }))
  .mutation(async ({ ctx, input: { sessionId: id } }) => {
    const open = await openSessionsOf(ctx.workspaceId, ctx.user.id);
    const ending = open.filter((session) => (id === null ? session.id !== ctx.session.id : session.id === id));
    if (id !== null && ending.length === 0) throw new AppError("not_found");
    await submitToWorkspace(ctx, { kind: "people_sign_out", user: ctx.user.id, session: id, keep: id === null ? ctx.session.id : null });

    return { ended: ending.length };
  });
