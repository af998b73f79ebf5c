import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { getWebhookEndpoint, queueWebhookTest } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { endpointInput } from "./input";

/** Sends also to an endpoint that is off. */
export const webhooksTest = createProcedure("webhook.manage")
  .input(endpointInput)
  .mutation(async ({ ctx, input }) => {
    const id = systemClock.id();
    if (await queueWebhookTest(ctx.workspaceId, input.endpoint_id, id)) return { delivery_id: id };
    const exists = await getWebhookEndpoint(ctx.workspaceId, input.endpoint_id);
    throw exists ? new AppError("conflict", { message: "A test is already in progress." }) : new AppError("not_found");
  });
