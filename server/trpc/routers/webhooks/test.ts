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
    if (await queueWebhookTest(ctx.workspaceId, input.endpointId, id)) return { deliveryId: id };
    const exists = await getWebhookEndpoint(ctx.workspaceId, input.endpointId);
    throw exists ? new AppError("conflict", { message: "A test is already in progress." }) : new AppError("not_found");
  });
