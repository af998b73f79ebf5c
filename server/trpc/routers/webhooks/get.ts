import { AppError } from "@/lib/errors";
import { getWebhookEndpoint, listWebhookDeliveries, type WebhookDelivery } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";
import { endpointInput } from "./input";
import { toEndpointView } from "./list";

const deliveryView = ({ nextAt, createdAt, endedAt, ...delivery }: WebhookDelivery) => ({
  ...delivery,
  nextAt: delivery.status === "pending" ? nextAt.getTime() : null,
  createdAt: createdAt.getTime(),
  endedAt: endedAt?.getTime() ?? null,
});
export type DeliveryView = ReturnType<typeof deliveryView>;

/** Includes the newest hundred deliveries. */
export const webhooksGet = createProcedure("webhook.read")
  .input(endpointInput)
  .query(async ({ ctx, input }) => {
    const [endpoint, deliveries] = await Promise.all([
      getWebhookEndpoint(ctx.workspaceId, input.endpointId),
      listWebhookDeliveries(ctx.workspaceId, input.endpointId),
    ]);
    if (!endpoint) throw new AppError("not_found");

    return { endpoint: toEndpointView(ctx.role, endpoint), deliveries: deliveries.map(deliveryView) };
  });
