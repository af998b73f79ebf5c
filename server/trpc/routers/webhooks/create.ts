import { z } from "zod";
import { AppError } from "@/lib/errors";
import { MOST_ENDPOINTS } from "@/lib/webhooks/types";
import { systemClock } from "@/server/clock";
import { newWebhookSecret, sealWebhookSecret } from "@/server/notify/secret";
import { insertWebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { procedure } from "@/server/trpc/init";
import { webVault } from "@/server/web/web-vault";
import { acceptedUrl, endpointFields } from "./input";

/** Adds an endpoint, whose secret is readable only in this answer. */
export const webhooksCreate = procedure("webhook.manage", { fresh: true })
  .input(z.strictObject(endpointFields))
  .mutation(async ({ ctx, input }) => {
    const url = acceptedUrl(input.url);
    const id = systemClock.id();
    const secret = newWebhookSecret();
    const isAdded = await insertWebhookEndpoint(ctx.workspaceId, {
      id,
      url,
      description: input.description,
      types: [...new Set(input.types)],
      secret: sealWebhookSecret(webVault(), ctx.workspaceId, id, secret),
      createdBy: ctx.user.id,
    });
    if (!isAdded) throw new AppError("bad_request", { message: `A workspace can have at most ${MOST_ENDPOINTS} endpoints.` });

    return { id, secret };
  });
