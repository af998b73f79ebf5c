/** The outbox. Runner's role only. */
import { z } from "zod";
import { deliveryTypeSchema, type DeliveryFault, type OffReason } from "@/lib/webhooks/types";
import { getPool, runTransaction } from "@/server/db/client";

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
returning d.id, d.workspace_id as "workspaceId", d.endpoint_id as "endpointId", d.type, d.subject, d.payload, d.attempts,
  d.created_at as "createdAt", e.url, e.secret, e.old_secret as "oldSecret", e.old_secret_until as "oldSecretUntil",
  e.sent_checkpoint as "sentCheckpoint"`;

type Claim = { readonly now: number; readonly until: number; readonly busyEndpoints: readonly string[]; readonly limit: number };

export const claimDeliveries = async ({ now, until, busyEndpoints, limit }: Claim): Promise<readonly ClaimedDelivery[]> => {
  const { rows } = await getPool().query(CLAIM, [new Date(now), new Date(until), busyEndpoints, limit]);

  return z.array(claimedRow).parse(rows);
};

/** Retries must send the same. */
export const keepPayload = async (id: string, payload: string): Promise<void> => {
  await getPool().query("update webhook_delivery set payload = $2 where id = $1 and payload is null", [id, payload]);
};

type Attempted = Pick<ClaimedDelivery, "id" | "endpointId" | "type" | "subject" | "attempts">;

const OF_CLAIM = "id = $1 and status = 'pending' and attempts = $2";

/** Records success; later proofs start there. */
export const noteDelivered = (delivery: Attempted, code: number, at: number): Promise<void> =>
  runTransaction(async (client) => {
    await client.query(`update webhook_delivery set status = 'delivered', code = $3, fault = null, ended_at = $4 where ${OF_CLAIM}`, [
      delivery.id,
      delivery.attempts,
      code,
      new Date(at),
    ]);
    await client.query(
      `update webhook_endpoint set failures = 0, failing_since = null, sent_checkpoint = greatest(sent_checkpoint, $2::bigint) where id = $1`,
      [delivery.endpointId, delivery.type === "checkpoint.signed" ? delivery.subject : null],
    );
  });

export type FailedAttempt = {
  readonly code: number | null;
  readonly fault: DeliveryFault;
  /** Null: never. */
  readonly nextAt: number | null;
  readonly at: number;
};

const standingRow = z.object({ failures: z.number().int(), failing_since: z.date() });

/** @returns how long and often the endpoint failed; null when removed */
export const noteFailed = (
  delivery: Attempted,
  { code, fault, nextAt, at }: FailedAttempt,
): Promise<{ readonly failures: number; readonly failingForMs: number } | null> =>
  runTransaction(async (client) => {
    const end = nextAt === null ? "status = 'failed', ended_at = $5" : "next_at = $5";
    await client.query(`update webhook_delivery set code = $3, fault = $4, ${end} where ${OF_CLAIM}`, [
      delivery.id,
      delivery.attempts,
      code,
      fault,
      new Date(nextAt ?? at),
    ]);
    const { rows } = await client.query(
      `update webhook_endpoint set failures = failures + 1, failing_since = coalesce(failing_since, $2) where id = $1
       returning failures, failing_since`,
      [delivery.endpointId, new Date(at)],
    );
    if (rows[0] === undefined) return null;
    const { failures, failing_since: since } = standingRow.parse(rows[0]);

    return { failures, failingForMs: at - since.getTime() };
  });

/** Switches it off and drops its queue. */
export const switchOff = (endpointId: string, reason: OffReason, at: number): Promise<void> =>
  runTransaction(async (client) => {
    await client.query("update webhook_endpoint set off_reason = $2 where id = $1 and off_reason is null", [endpointId, reason]);
    await client.query("update webhook_delivery set status = 'dropped', ended_at = $2 where endpoint_id = $1 and status = 'pending'", [
      endpointId,
      new Date(at),
    ]);
  });

/** Deletes deliveries ended before then. */
export const forgetDeliveries = async (before: number): Promise<void> => {
  await getPool().query(
    `delete from webhook_delivery d where (status <> 'pending' and created_at < $1)
       or not exists (select from webhook_endpoint e where e.id = d.endpoint_id)`,
    [new Date(before)],
  );
};

const secretRow = z.object({ id: z.string(), workspace: z.string(), part: z.enum(["secret", "old_secret"]), sealed: bytes });
export type SealedWebhookSecret = z.infer<typeof secretRow>;

/** All endpoints' secrets, for rotation. */
export const sealedWebhookSecrets = async (): Promise<readonly SealedWebhookSecret[]> => {
  const { rows } = await getPool().query(
    `select id, workspace_id as workspace, part, sealed
     from webhook_endpoint, lateral (values ('secret', secret), ('old_secret', old_secret)) as parts(part, sealed)
     where sealed is not null`,
  );

  return z.array(secretRow).parse(rows);
};

/** Skips secrets changed meanwhile. */
export const storeWebhookSecret = async ({ id, part, sealed }: SealedWebhookSecret, next: Uint8Array): Promise<void> => {
  await getPool().query(`update webhook_endpoint set ${part} = $2 where id = $1 and ${part} = $3`, [
    id,
    Buffer.from(next),
    Buffer.from(sealed),
  ]);
};
