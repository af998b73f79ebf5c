import { isAllowed, type Role } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { listWebhookEndpoints, type WebhookEndpoint } from "@/server/store/webhooks/endpoints";
import { createProcedure } from "@/server/trpc/init";

/** A path is often the only secret: non-managers see the host. */
export const toEndpointView = (role: Role, { url, oldSecretUntil, outputsUrl, ...endpoint }: WebhookEndpoint) => ({
  ...endpoint,
  url: isAllowed(role, "webhook.manage") ? url : new URL(url).origin,
  /** The address changed since values were granted to it. */
  grantEnded: endpoint.outputs.length > 0 && outputsUrl !== url,
  /** While it also signs. */
  oldSecretUntil: oldSecretUntil !== null && oldSecretUntil > systemClock.now() ? oldSecretUntil : null,
});
export type EndpointView = ReturnType<typeof toEndpointView>;

export const webhooksList = createProcedure("webhook.read").query(async ({ ctx }) =>
  (await listWebhookEndpoints(ctx.workspaceId)).map((endpoint) => toEndpointView(ctx.role, endpoint)),
);
