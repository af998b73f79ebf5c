import { openSessionsOf } from "@/server/auth/session";
import { createProcedure } from "@/server/trpc/init";

export const sessionSessions = createProcedure("settings.own").query(async ({ ctx }) => ({
  current: ctx.session.id,
  sessions: await openSessionsOf(ctx.workspaceId, ctx.user.id),
}));
