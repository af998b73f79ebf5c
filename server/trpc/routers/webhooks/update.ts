import { AppError } from "@/lib/errors";
import { updateWebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { parseAcceptedUrl, endpointFields, endpointInput } from "./input";

export const webhooksUpdate = createProcedure("webhook.manage", { fresh: true })
  .input(endpointInput.extend(endpointFields))
  .mutation(async ({ ctx, input }) => {
    const change = { url: parseAcceptedUrl(input.url), description: input.description, types: [...new Set(input.types)] };
    if (!(await updateWebhookEndpoint(ctx.workspaceId, input.endpointId, change))) throw new AppError("not_found");

    return { updated: true };
  });
