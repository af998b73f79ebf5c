import { z } from "zod";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { revokeAgentSession } from "@/server/store/agents/sessions";
import { createProcedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";

/** Its runs rest until cancelled or expired. */
export const connectSessionsRevoke = createProcedure("connect.manage")
  .input(z.strictObject({ sessionId: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    if (!(await revokeAgentSession(ctx.workspaceId, input.sessionId, ownOnly(ctx), systemClock.now()))) throw new AppError("not_found");

    return { revoked: true };
  });
