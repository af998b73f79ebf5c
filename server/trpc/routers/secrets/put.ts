import { z } from "zod";
import { AppError } from "@/lib/errors";
import { idSchema } from "@/lib/ids";
import { webSecretNameSchema, secretValueSchema } from "@/lib/secrets/reference";
import { sealSecret } from "@/server/security/secrets";
import { MOST_SECRETS, putSecret } from "@/server/store/ledger/secrets";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";
import { getWebVault } from "@/server/web/web-vault";

export const secretsPut = createProcedure("mcp.manage", { fresh: true })
  .input(z.strictObject({ name: webSecretNameSchema, value: secretValueSchema, environment: idSchema.exactOptional() }))
  .mutation(async ({ ctx: { workspaceId, user }, input: { name, value, environment = null } }) => {
    const { environments } = await readAuthority(workspaceId);
    if (environment !== null && !environments.list.some(({ id }) => id === environment)) throw new AppError("not_found");
    const sealed = sealSecret(getWebVault(), workspaceId, name, value, environment);
    const version = await putSecret(workspaceId, { name, environment }, sealed, user.id);
    if (version === null) throw new AppError("bad_request", { message: `A workspace can have at most ${MOST_SECRETS} secrets.` });

    return { name, version };
  });
