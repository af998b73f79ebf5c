import { z } from "zod";
import { AppError } from "@/lib/errors";
import { openSessionsOf } from "@/server/auth/session";
import { isMember } from "@/server/store/people/members";
import { createProcedure } from "@/server/trpc/init";

export const peopleSessions = createProcedure("people.read")
  .input(z.strictObject({ userId: z.uuid() }))
  .query(async ({ ctx, input: { userId } }) => {
    if (!(await isMember(ctx.workspaceId, userId))) throw new AppError("not_found");

    return openSessionsOf(ctx.workspaceId, userId);
  });
