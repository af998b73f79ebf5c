import { z } from "zod";
import { AppError } from "@/lib/errors";
import { secretNameSchema } from "@/lib/secrets/reference";
import { removeSecret } from "@/server/store/ledger/secrets";
import { procedure } from "@/server/trpc/init";

/** Takes a secret away. What refers to it is not usable until there is one of that name again. */
export const secretsRemove = procedure("mcp.manage", { fresh: true })
  .input(z.strictObject({ name: secretNameSchema }))
  .mutation(async ({ ctx, input }) => {
    if (!(await removeSecret(ctx.workspaceId, input.name))) throw new AppError("not_found");

    return { removed: true };
  });
