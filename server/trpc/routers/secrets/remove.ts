import { z } from "zod";
import { AppError } from "@/lib/errors";
import { secretNameSchema } from "@/lib/secrets/reference";
import { removeSecret } from "@/server/store/ledger/secrets";
import { createProcedure } from "@/server/trpc/init";

/** Its servers are unusable until it exists again. */
export const secretsRemove = createProcedure("mcp.manage", { fresh: true })
  .input(z.strictObject({ name: secretNameSchema }))
  .mutation(async ({ ctx, input }) => {
    if (!(await removeSecret(ctx.workspaceId, input.name))) throw new AppError("not_found");

    return { removed: true };
  });
