import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { AppError } from "@/lib/errors";
import { DAY_MS } from "@/lib/outside/token-limits";
import { rotateToken } from "@/server/outside/token";
import { createProcedure } from "@/server/trpc/init";
import { getRefusal } from "@/server/web/membership";

const input = z.strictObject({
  tokenId: z.uuid(),
  expiresInDays: z.number().int().min(1).max(365),
  signed: adminSignatureSchema.exactOptional(),
});

/** The previous token ends at once. */
export const connectAccountsRotate = createProcedure("connect.manage", { fresh: true })
  .input(input)
  .mutation(async ({ ctx, input: { tokenId, expiresInDays, signed } }) => {
    const wanted = { id: tokenId, lifetimeMs: expiresInDays * DAY_MS };

    return rotateToken(ctx.workspaceId, ctx.author, wanted, signed).catch((error: unknown) => {
      throw getRefusal(error) === "not_found" ? new AppError("not_found") : error;
    });
  });
