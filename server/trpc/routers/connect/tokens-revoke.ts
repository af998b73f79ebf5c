import { z } from "zod";
import { AppError } from "@/lib/errors";
import { createProcedure } from "@/server/trpc/init";
import { getRefusal } from "@/server/web/membership";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Also revokes everything it drives. */
export const connectTokensRevoke = createProcedure("connect.manage")
  .input(z.strictObject({ tokenId: z.uuid() }))
  .mutation(async ({ ctx, input }) => {
    await submitToWorkspace(ctx, { kind: "token_revoke", token: input.tokenId }).catch((error: unknown) => {
      throw getRefusal(error) === "not_found" ? new AppError("not_found") : error;
    });

    return { revoked: true };
  });
