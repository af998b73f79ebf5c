import { z } from "zod";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { revokeOtherSessions, revokeSession } from "@/server/store/sessions";
import { procedure } from "@/server/trpc/init";

/** Ends one of one's own sessions, or all but this one. */
export const sessionEnd = procedure("settings.own")
  .input(z.strictObject({ session_id: z.uuid().nullable() }))
  .mutation(async ({ ctx, input: { session_id: id } }) => {
    const now = new Date(systemClock.now());
    if (id === null) return { ended: await revokeOtherSessions(ctx.user.id, ctx.session.id, now) };
    if (!(await revokeSession(ctx.user.id, id, now))) throw new AppError("not_found");

    return { ended: 1 };
  });
