import { may, type Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { listWebhookEndpoints, type WebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { procedure } from "@/server/trpc/init";

/** An address's path is often its only secret: non-managers see the host. */
export const endpointView = (role: Role, endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: may(role, "webhook.manage") ? endpoint.url : new URL(endpoint.url).origin,
  description: endpoint.description,
  types: endpoint.types,
  off_reason: endpoint.offReason,
  failures: endpoint.failures,
  failing_since: endpoint.failingSince,
  /** While it also signs. */
  old_secret_until: endpoint.oldSecretUntil !== null && endpoint.oldSecretUntil > systemClock.now() ? endpoint.oldSecretUntil : null,
  created_at: endpoint.createdAt,
});
export type EndpointView = ReturnType<typeof endpointView>;

/** The workspace's endpoints, oldest first. */
export const webhooksList = procedure("webhook.read").query(async ({ ctx }) =>
  (await listWebhookEndpoints(ctx.workspaceId)).map((endpoint) => endpointView(ctx.role, endpoint)),
);
