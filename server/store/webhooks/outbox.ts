/** Runner's role only. */
import { z } from "zod";
import { endpointFormatSchema } from "@/lib/webhooks/endpoint";
import { deliveryTypeSchema, type DeliveryFault, type OffReason } from "@/lib/webhooks/types";
import { getDatabase, getPool, inTransaction } from "@/server/db/client";
import { columnsOf, execute, queryRows } from "@/server/store/sql/rows";

const bytes = z.instanceof(Uint8Array);
const claimedRow = z.object({
  id: z.string(),
  workspaceId: z.string(),
  endpointId: z.string(),
  type: deliveryTypeSchema,
  subject: z.string(),
  payload: z.string().nullable(),
  attempts: z.number().int(),
  createdAt: z.date(),
  url: z.string(),
  format: endpointFormatSchema,
  secret: bytes,
  oldSecret: bytes.nullable(),
  oldSecretUntil: z.date().nullable(),
  sentCheckpoint: z.coerce.number().nullable(),
});
export type ClaimedDelivery = z.infer<typeof claimedRow>;

/**
 * One delivery per endpoint: slow ones delay no others. Claims expire, which recovers a dead runner's. Rechecked under the row lock: one
 * runner gets it.
 */
const CLAIM = `
with due as (
  select id from (
    select distinct on (d.endpoint_id) d.id, d.next_at
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
    where d.status = 'pending' and d.next_at <= $1 and d.endpoint_id <> all($3::uuid[]) and (e.off_reason is null or d.type = 'webhook.test')
    order by d.endpoint_id, d.next_at, d.id
  ) as first order by next_at limit $4
)
update webhook_delivery d set attempts = d.attempts + 1, next_at = $2
from due, webhook_endpoint e
where d.id = due.id and e.id = d.endpoint_id and d.status = 'pending' and d.next_at <= $1
returning ${columnsOf(
  claimedRow,
  {
    url: "e.url",
    format: "e.format",
    secret: "e.secret",
    oldSecret: "e.old_secret",
    oldSecretUntil: "e.old_secret_until",
    sentCheckpoint: "e.sent_checkpoint",
  },
  "d.",
)}`;

type Claim = { readonly now: number; readonly until: number; readonly busyEndpoints: readonly string[]; readonly limit: number };

export const claimDeliveries = ({ now, until, busyEndpoints, limit }: Claim): Promise<readonly ClaimedDelivery[]> =>
  queryRows(getPool(), claimedRow, { text: CLAIM, values: [new Date(now), new Date(until), busyEndpoints, limit] });

/** Retries must send the same. */
export const keepPayload = async (id: string, payload: string): Promise<void> => {
  await getDatabase().webhookDelivery.updateMany({ where: { id, payload: null }, data: { payload } });
};

type Attempted = Pick<ClaimedDelivery, "id" | "endpointId" | "type" | "subject" | "attempts">;

const ofClaim = ({ id, attempts }: Attempted) => ({ id, status: "pending", attempts });

/** Records success; later proofs start there. */
export const noteDelivered = (delivery: Attempted, code: number, at: number): Promise<void> =>
  inTransaction(async (tx) => {
    const { endpointId: id, type, subject } = delivery;
    await tx.webhookDelivery.updateMany({
      where: ofClaim(delivery),
      data: { status: "delivered", code, fault: null, endedAt: new Date(at) },
    });
    await tx.webhookEndpoint.updateMany({ where: { id }, data: { failures: 0, failingSince: null } });
    if (type !== "checkpoint.signed") return;
    const sentCheckpoint = BigInt(subject);
    await tx.webhookEndpoint.updateMany({
      where: { id, OR: [{ sentCheckpoint: null }, { sentCheckpoint: { lt: sentCheckpoint } }] },
      data: { sentCheckpoint },
    });
  });

export const noteDropped = async (delivery: Attempted, at: number): Promise<void> => {
  await getDatabase().webhookDelivery.updateMany({ where: ofClaim(delivery), data: { status: "dropped", endedAt: new Date(at) } });
};

export type FailedAttempt = {
  readonly code: number | null;
  readonly fault: DeliveryFault;
  /** Null: never. */
  readonly nextAt: number | null;
  readonly at: number;
};

/** @returns how long and often the endpoint failed; null when removed */
export const noteFailed = (
  delivery: Attempted,
  { code, fault, nextAt, at }: FailedAttempt,
): Promise<{ readonly failures: number; readonly failingForMs: number } | null> =>
  inTransaction(async (tx) => {
    const end = nextAt === null ? { status: "failed", endedAt: new Date(at) } : { nextAt: new Date(nextAt) };
    await tx.webhookDelivery.updateMany({ where: ofClaim(delivery), data: { code, fault, ...end } });
    const { endpointId: id } = delivery;
    const { count } = await tx.webhookEndpoint.updateMany({ where: { id }, data: { failures: { increment: 1 } } });
    if (count === 0) return null;
    await tx.webhookEndpoint.updateMany({ where: { id, failingSince: null }, data: { failingSince: new Date(at) } });
    const { failures, failingSince } = await tx.webhookEndpoint.findUniqueOrThrow({
      where: { id },
      select: { failures: true, failingSince: true },
    });

    return { failures, failingForMs: at - (failingSince?.getTime() ?? at) };
  });

/** Switches it off and drops its queue. */
export const switchOff = (endpointId: string, offReason: OffReason, at: number): Promise<void> =>
  inTransaction(async (tx) => {
    await tx.webhookEndpoint.updateMany({ where: { id: endpointId, offReason: null }, data: { offReason } });
    await tx.webhookDelivery.updateMany({
      where: { endpointId, status: "pending" },
      data: { status: "dropped", endedAt: new Date(at) },
    });
  });

export const forgetDeliveries = async (before: number): Promise<void> => {
  await execute(getPool(), {
    text: `delete from webhook_delivery d where (status <> 'pending' and created_at < $1)
       or not exists (select from webhook_endpoint e where e.id = d.endpoint_id)`,
    values: [new Date(before)],
  });
};

type Part = "secret" | "oldSecret";

export type SealedWebhookSecret = {
  readonly id: string;
  readonly workspace: string;
  readonly part: Part;
  readonly sealed: Uint8Array<ArrayBuffer>;
};

/** All endpoints' secrets, for rotation. */
export const sealedWebhookSecrets = async (): Promise<readonly SealedWebhookSecret[]> => {
  const rows = await getDatabase().webhookEndpoint.findMany({ select: { id: true, workspaceId: true, secret: true, oldSecret: true } });

  return rows.flatMap(({ id, workspaceId: workspace, secret, oldSecret }) => [
    { id, workspace, part: "secret" as const, sealed: secret },
    ...(oldSecret === null ? [] : [{ id, workspace, part: "oldSecret" as const, sealed: oldSecret }]),
  ]);
};

/** Skips secrets changed meanwhile. */
export const storeWebhookSecret = async ({ id, part, sealed }: SealedWebhookSecret, next: Uint8Array<ArrayBuffer>): Promise<void> => {
  await getDatabase().webhookEndpoint.updateMany({ where: { id, [part]: sealed }, data: { [part]: next } });
};
