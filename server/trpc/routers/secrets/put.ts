import { z } from "zod";
import { AppError } from "@/lib/errors";
import { secretNameSchema, secretValueSchema } from "@/lib/secrets/reference";
import { sealSecret } from "@/server/security/secrets";
import { MOST_SECRETS, putSecret } from "@/server/store/ledger/secrets";
import { createProcedure } from "@/server/trpc/init";
import { getWebVault } from "@/server/web/web-vault";

export const secretsPut = createProcedure("mcp.manage", { fresh: true })
  .input(z.strictObject({ name: secretNameSchema, value: secretValueSchema }))
  .mutation(async ({ ctx, input: { name, value } }) => {
    const version = await putSecret(ctx.workspaceId, name, sealSecret(getWebVault(), ctx.workspaceId, name, value), ctx.user.id);
    if (version === null) throw new AppError("bad_request", { message: `A workspace can have at most ${MOST_SECRETS} secrets.` });

    return { name, version };
  });
