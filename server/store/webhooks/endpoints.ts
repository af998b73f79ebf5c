/** Webhooks; only the runner writes outcomes. */
import { z } from "zod";
import { endpointFormatSchema, type EndpointFormat } from "@/lib/webhooks/endpoint";
import {
  DELIVERY_FAULTS,
  DELIVERY_STATUSES,
  deliveryTypeSchema,
  MOST_ENDPOINTS,
  OFF_REASONS,
  webhookTypeSchema,
} from "@/lib/webhooks/types";
import type { WebhookType } from "@/lib/webhooks/types";
import { runInWorkspace, scopeToWorkspace, type Transaction } from "@/server/db/client";
import { msSchema } from "@/server/store/times";

const MOST_DELIVERIES = 100;

const SHOWN = {
  id: true,
  url: true,
  description: true,
  types: true,
  format: true,
  groupName: true,
  offReason: true,
  failures: true,
  failingSince: true,
  oldSecretUntil: true,
  createdAt: true,
} as const;

/** Times: ms since 1970. */
const endpointRow = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  types: z.array(webhookTypeSchema),
  format: endpointFormatSchema,
  groupName: z.string().nullable(),
  offReason: z.enum(OFF_REASONS).nullable(),
  failures: z.number(),
  failingSince: msSchema.nullable(),
  oldSecretUntil: msSchema.nullable(),
  createdAt: msSchema,
});
export type WebhookEndpoint = z.infer<typeof endpointRow>;

/** Oldest first. */
export const listWebhookEndpoints = async (workspaceId: string): Promise<readonly WebhookEndpoint[]> => {
  const rows = await scopeToWorkspace(workspaceId).webhookEndpoint.findMany({
    where: { workspaceId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: SHOWN,
    take: MOST_ENDPOINTS,
  });

  return z.array(endpointRow).parse(rows);
};

export const getWebhookEndpoint = async (workspaceId: string, id: string): Promise<WebhookEndpoint | null> => {
  const row = await scopeToWorkspace(workspaceId).webhookEndpoint.findFirst({ where: { workspaceId, id }, select: SHOWN });

  return row && endpointRow.parse(row);
};

export type NewWebhookEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly types: readonly WebhookType[];
  readonly format: EndpointFormat;
  readonly groupName: string | null;
  readonly secret: Uint8Array<ArrayBuffer>;
  readonly createdBy: string;
};

/** @returns false at the workspace's limit */
export const insertWebhookEndpoint = (workspaceId: string, { types, ...endpoint }: NewWebhookEndpoint): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    // Serialises additions for the limit.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('countersign.webhooks ' || ${workspaceId}))`;
    if ((await tx.webhookEndpoint.count({ where: { workspaceId } })) >= MOST_ENDPOINTS) return false;
    // The web process may not write the runner's counters.
    await tx.$executeRaw`
      insert into webhook_endpoint (workspace_id, id, url, description, types, format, group_name, secret, created_by)
      values (${workspaceId}::uuid, ${endpoint.id}::uuid, ${endpoint.url}, ${endpoint.description}, ${[...types]}::text[],
              ${endpoint.format}, ${endpoint.groupName},              ${endpoint.secret}, ${endpoint.createdBy}::uuid)`;

    return true;
  });

type Change = Pick<NewWebhookEndpoint, "url" | "description" | "types" | "format" | "groupName">;

/** @returns false when missing */
export const updateWebhookEndpoint = async (workspaceId: string, id: string, { types, ...change }: Change): Promise<boolean> => {
  const { count } = await scopeToWorkspace(workspaceId).webhookEndpoint.updateMany({
    where: { workspaceId, id },
    data: { ...change, types: [...types] },
  });

  return count === 1;
};

/** Queued deliveries would be stale later. */
const dropWaiting = (tx: Transaction, workspaceId: string, endpointId: string, at: Date) =>
  tx.webhookDelivery.updateMany({
    where: { workspaceId, endpointId, status: "pending", type: { not: "webhook.test" } },
    data: { status: "dropped", endedAt: at },
  });

/** @returns false when missing */
export const switchWebhookEndpoint = (workspaceId: string, id: string, isOn: boolean, at: number): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    const { count } = await tx.webhookEndpoint.updateMany({
      where: { workspaceId, id },
      data: { offReason: isOn ? null : "admin", failures: 0, failingSince: null },
    });
    if (!isOn) await dropWaiting(tx, workspaceId, id, new Date(at));

    return count === 1;
  });

/** Replaces a secret; the previous one also signs until then. @returns false when missing */
export const replaceWebhookSecret = (
  workspaceId: string,
  id: string,
  secret: Uint8Array<ArrayBuffer>,
  oldUntil: number,
): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    const changed = await tx.$executeRaw`
      update webhook_endpoint set old_secret = secret, old_secret_until = to_timestamp(${oldUntil}::double precision / 1000), secret = ${secret}
      where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid`;

    return changed === 1;
  });

/** Removes an endpoint. @returns false when missing */
export const removeWebhookEndpoint = (workspaceId: string, id: string): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    const { count } = await tx.webhookEndpoint.deleteMany({ where: { workspaceId, id } });
    await tx.webhookDelivery.deleteMany({ where: { workspaceId, endpointId: id } });

    return count === 1;
  });

const deliveryRow = z.object({
  id: z.string(),
  type: deliveryTypeSchema,
  subject: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.number(),
  nextAt: z.date(),
  code: z.number().nullable(),
  fault: z.enum(DELIVERY_FAULTS).nullable(),
  createdAt: z.date(),
  endedAt: z.date().nullable(),
});
export type WebhookDelivery = z.infer<typeof deliveryRow>;

/** Newest first. */
export const listWebhookDeliveries = async (workspaceId: string, endpointId: string): Promise<readonly WebhookDelivery[]> => {
  const rows = await scopeToWorkspace(workspaceId).webhookDelivery.findMany({
    where: { workspaceId, endpointId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_DELIVERIES,
  });

  return z.array(deliveryRow).parse(rows);
};

/** Queues a test. @returns false when not queued */
export const queueWebhookTest = (workspaceId: string, endpointId: string, id: string): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    const queued = await tx.$executeRaw`
      insert into webhook_delivery (workspace_id, id, endpoint_id, type, subject)
      select e.workspace_id, ${id}::uuid, e.id, 'webhook.test', ${id} from webhook_endpoint e
      where e.workspace_id = ${workspaceId}::uuid and e.id = ${endpointId}::uuid and not exists (
        select from webhook_delivery d where d.endpoint_id = e.id and d.type = 'webhook.test' and d.status = 'pending')`;

    return queued === 1;
  });

/** Resends a delivery under the same id. @returns false when missing */
export const redeliverWebhook = async (workspaceId: string, id: string, at: number): Promise<boolean> => {
  const { count } = await scopeToWorkspace(workspaceId).webhookDelivery.updateMany({
    where: { workspaceId, id, status: { not: "pending" } },
    data: { status: "pending", attempts: 0, nextAt: new Date(at), endedAt: null },
  });

  return count === 1;
};
