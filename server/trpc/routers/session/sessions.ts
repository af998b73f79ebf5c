import { openSessionsOf } from "@/server/auth/session";
import { procedure } from "@/server/trpc/init";

/** Where one is signed in oneself, and which of them this is. */
export const sessionSessions = procedure("settings.own").query(async ({ ctx }) => ({
  current: ctx.session.id,
  sessions: await openSessionsOf(ctx.workspaceId, ctx.user.id),
}));
