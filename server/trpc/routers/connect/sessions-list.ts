import { systemClock } from "@/server/clock";
import { listAgentSessions } from "@/server/store/agents/sessions";
import { createProcedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";
import { toStatus } from "./status";

export const connectSessionsList = createProcedure("connect.read").query(async ({ ctx }) => {
  const sessions = await listAgentSessions(ctx.workspaceId, ownOnly(ctx));
  const now = systemClock.now();

  return sessions.map((session) => ({ ...session, status: toStatus(session, now) }));
});
