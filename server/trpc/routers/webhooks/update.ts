import { AppError } from "@/lib/errors";
import { updateWebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { procedure } from "@/server/trpc/init";
import { acceptedUrl, endpointFields, endpointInput } from "./input";

/** Changes address, description or events; the secret stays. */
export const webhooksUpdate = procedure("webhook.manage", { fresh: true })
  .input(endpointInput.extend(endpointFields))
  .mutation(async ({ ctx, input }) => {
    const change = { url: acceptedUrl(input.url), description: input.description, types: [...new Set(input.types)] };
    if (!(await updateWebhookEndpoint(ctx.workspaceId, input.endpoint_id, change))) throw new AppError("not_found");

    return { updated: true };
  });
