import { z } from "zod";
import { AppError } from "@/lib/errors";
import { idSchema } from "@/lib/ids";
import { webSecretNameSchema } from "@/lib/secrets/reference";
import { removeSecret } from "@/server/store/ledger/secrets";
import { createProcedure } from "@/server/trpc/init";

/** Its servers are unusable until it exists again. */
export const secretsRemove = createProcedure("mcp.manage", { fresh: true })
  .input(z.strictObject({ name: webSecretNameSchema, environment: idSchema.exactOptional() }))
  .mutation(async ({ ctx, input: { name, environment = null } }) => {
    if (!(await removeSecret(ctx.workspaceId, { name, environment }))) throw new AppError("not_found");

    return { removed: true };
  });
