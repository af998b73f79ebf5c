import { AppError } from "@/lib/errors";
import { OLD_SECRET_MS } from "@/lib/webhooks/types";
import { systemClock } from "@/server/clock";
import { generateWebhookSecret, sealWebhookSecret } from "@/server/notify/secret";
import { replaceWebhookSecret } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { getWebVault } from "@/server/web/web-vault";
import { endpointInput } from "./input";

/** The old secret also signs for a day. */
export const webhooksRotateSecret = createProcedure("webhook.manage", { fresh: true })
  .input(endpointInput)
  .mutation(async ({ ctx, input: { endpointId: id } }) => {
    const secret = generateWebhookSecret();
    const sealed = sealWebhookSecret(getWebVault(), ctx.workspaceId, id, secret);
    const oldUntil = systemClock.now() + OLD_SECRET_MS;
    if (!(await replaceWebhookSecret(ctx.workspaceId, id, sealed, oldUntil))) throw new AppError("not_found");

    return { secret, oldSecretUntil: oldUntil };
  });
