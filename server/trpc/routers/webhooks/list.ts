import { isAllowed, type Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { listWebhookEndpoints, type WebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";

/** A path is often the only secret: non-managers see the host. */
export const toEndpointView = (role: Role, endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: isAllowed(role, "webhook.manage") ? endpoint.url : new URL(endpoint.url).origin,
  description: endpoint.description,
  types: endpoint.types,
  offReason: endpoint.offReason,
  failures: endpoint.failures,
  failingSince: endpoint.failingSince,
  /** While it also signs. */
  oldSecretUntil: endpoint.oldSecretUntil !== null && endpoint.oldSecretUntil > systemClock.now() ? endpoint.oldSecretUntil : null,
  createdAt: endpoint.createdAt,
});
export type EndpointView = ReturnType<typeof toEndpointView>;

export const webhooksList = createProcedure("webhook.read").query(async ({ ctx }) =>
  (await listWebhookEndpoints(ctx.workspaceId)).map((endpoint) => toEndpointView(ctx.role, endpoint)),
);
