import { AppError } from "@/lib/errors";
import { endpointFieldsSchema } from "@/lib/webhooks/endpoint";
import { MOST_ENDPOINTS } from "@/lib/webhooks/types";
import { systemClock } from "@/server/clock";
import { generateWebhookSecret, sealWebhookSecret } from "@/server/notify/secret";
import { insertWebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { getWebVault } from "@/server/web/web-vault";
import { parseAcceptedUrl } from "./input";

/** The secret is readable only in this answer. */
export const webhooksCreate = createProcedure("webhook.manage", { fresh: true })
  .input(endpointFieldsSchema)
  .mutation(async ({ ctx, input }) => {
    const url = parseAcceptedUrl(input.url);
    const id = systemClock.id();
    const secret = generateWebhookSecret();
    const isAdded = await insertWebhookEndpoint(ctx.workspaceId, {
      id,
      url,
      description: input.description,
      types: [...new Set(input.types)],
      format: input.format,
      groupName: input.groupName,
      secret: sealWebhookSecret(getWebVault(), ctx.workspaceId, id, secret),
      createdBy: ctx.user.id,
    });
    if (!isAdded) throw new AppError("bad_request", { message: `A workspace can have at most ${MOST_ENDPOINTS} endpoints.` });

    return { id, secret };
  });
