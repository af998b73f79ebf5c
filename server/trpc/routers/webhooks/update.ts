import { z } from "zod";
import { AppError } from "@/lib/errors";
import { endpointFieldsSchema } from "@/lib/webhooks/endpoint";
import { updateWebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { endpointInput, parseAcceptedUrl } from "./input";

export const webhooksUpdate = createProcedure("webhook.manage", { fresh: true })
  .input(z.intersection(endpointFieldsSchema, endpointInput))
  .mutation(async ({ ctx, input }) => {
    const { endpointId, url, types, ...fields } = input;
    const change = { ...fields, url: parseAcceptedUrl(url), types: [...new Set(types)] };
    if (!(await updateWebhookEndpoint(ctx.workspaceId, endpointId, change))) throw new AppError("not_found");

    return { updated: true };
  });
