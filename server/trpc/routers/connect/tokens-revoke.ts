import { z } from "zod";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { revokeAgentToken } from "@/server/store/agent-tokens";
import { procedure } from "@/server/trpc/init";
import { ownOnly } from "./own-only";

/** Ends a token for good, and with it everything that is driven by it. */
export const connectTokensRevoke = procedure("connect.manage")
  .input(z.strictObject({ token_id: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    if (!(await revokeAgentToken(ctx.workspaceId, input.token_id, ownOnly(ctx), systemClock.now()))) throw new AppError("not_found");

    return { revoked: true };
  });
