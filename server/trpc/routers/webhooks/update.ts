import { z } from "zod";
import { AppError } from "@/lib/errors";
import { endpointFieldsSchema } from "@/lib/webhooks/endpoint";
import { updateWebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { endpointInput, parseAcceptedUrl, toEndpointFields } from "./input";

export const webhooksUpdate = createProcedure("webhook.manage", { fresh: true })
  .input(z.intersection(endpointFieldsSchema, endpointInput))
  .mutation(async ({ ctx, input }) => {
    const change = toEndpointFields(input, parseAcceptedUrl(input.url));
    if (!(await updateWebhookEndpoint(ctx.workspaceId, input.endpointId, change))) throw new AppError("not_found");

    return { updated: true };
  });
