/** Runner's role only. */
import { z } from "zod";
import { channelSchema, notificationTypeSchema, SCHEDULED_TYPES, type Channel } from "@/lib/notifications/setting";
import type { DeliveryFault } from "@/lib/webhooks/types";
import { getDatabase, getPool } from "@/server/db/client";
import { columnsOf, execute, queryRow, queryRows } from "@/server/store/sql/rows";
import { msSchema } from "@/server/store/times";

const dueRow = z.object({
  workspaceId: z.string(),
  userId: z.string(),
  channel: channelSchema,
  type: notificationTypeSchema,
  /** Null: not in a message yet. */
  messageId: z.string().nullable(),
  createdAt: msSchema,
});
export type DueRecipient = z.infer<typeof dueRow>;

/** Tests, codes and changes come first; a message under way is sent again before a new one. */
const DUE = `
select ${columnsOf(dueRow)} from (
  select distinct on (user_id, channel) * from notification
  where status = 'pending' and next_at <= $1 and user_id || ' ' || channel <> all ($2::text[]) and channel = any ($4::text[])
  order by user_id, channel, type = any ($5::text[]), message_id nulls last, next_at, id
) as first order by next_at limit $3`;

type Due = { readonly now: number; readonly busy: readonly string[]; readonly limit: number; readonly channels: readonly Channel[] };

export const listDueRecipients = ({ now, busy, limit, channels }: Due): Promise<readonly DueRecipient[]> =>
  queryRows(getPool(), dueRow, { text: DUE, values: [new Date(now), busy, limit, channels, SCHEDULED_TYPES] });

type Recipient = Pick<DueRecipient, "workspaceId" | "userId" | "channel">;

const unsent = ({ workspaceId, userId, channel }: Recipient) => ({
  workspaceId,
  userId,
  channel,
  type: { in: [...SCHEDULED_TYPES] },
  status: "pending",
  messageId: null,
});

export const postponeNotifications = async (recipient: Recipient, nowMs: number, untilMs: number): Promise<void> => {
  await getDatabase().notification.updateMany({
    where: { ...unsent(recipient), nextAt: { lte: new Date(nowMs) } },
    data: { nextAt: new Date(untilMs) },
  });
};

/** Drops what is not in a message yet: the member stopped the channel. */
export const dropNotifications = async (recipient: Recipient, atMs: number): Promise<void> => {
  await getDatabase().notification.updateMany({ where: unsent(recipient), data: { status: "dropped", endedAt: new Date(atMs) } });
};

const claimedRow = z.object({ id: z.string(), type: notificationTypeSchema, subject: z.string(), attempts: z.number().int() });
export type ClaimedNotification = z.infer<typeof claimedRow>;

/** Rechecked under the row lock; locked rows are another runner's, so each goes into one message. */
const CLAIM = `
with due as (
  select id from notification
  where workspace_id = $1 and user_id = $2 and channel = $3 and status = 'pending' and next_at <= $4
    and case when $5 then message_id = $6 else message_id is null and type = $7 end
  order by next_at, id limit $8 for update skip locked
)
update notification n set message_id = $6, attempts = n.attempts + 1, next_at = $9 from due where n.id = due.id
returning ${columnsOf(claimedRow, {}, "n.")}`;

type Claim = Pick<DueRecipient, "workspaceId" | "userId" | "channel" | "type"> & {
  readonly messageId: string;
  readonly isRetry: boolean;
  readonly now: number;
  readonly until: number;
  readonly limit: number;
};

/** Claims a message's notifications. An expired claim's message is sent again under the same id. */
export const claimNotifications = ({ workspaceId, userId, channel, type, messageId, isRetry, now, until, limit }: Claim) =>
  queryRows(getPool(), claimedRow, {
    text: CLAIM,
    values: [workspaceId, userId, channel, new Date(now), isRetry, messageId, type, limit, new Date(until)],
  });

export type NotificationOutcome = {
  readonly status: "delivered" | "failed" | "dropped" | "pending";
  readonly code: number | null;
  readonly fault: DeliveryFault | null;
  /** Place of a later change. */
  readonly place?: string | null;
  readonly nextAt: number | null;
  readonly at: number;
};

/** Queues changes for requests that closed while their message was under way. */
const queueMissedUpdates = async (sent: readonly ClaimedNotification[]): Promise<void> => {
  await execute(getPool(), {
    text: `insert into notification (workspace_id, id, user_id, channel, type, subject)
      select n.workspace_id, gen_random_uuid(), n.user_id, n.channel, 'approval.updated', n.subject
      from notification n join approval a on a.id = n.subject
      where n.id = any ($1::uuid[]) and n.type in ('approval.requested', 'approval.reminded') and a.status <> 'open' on conflict do nothing`,
    values: [sent.map(({ id }) => id)],
  });
};

const earlierRow = z.object({ subject: z.string(), place: z.string(), status: z.string().nullable(), graphName: z.string().nullable() });
export type EarlierItem = z.infer<typeof earlierRow>;

export const listEarlierItems = ({ userId, channel }: Recipient, approvalId: string): Promise<readonly EarlierItem[]> =>
  queryRows(getPool(), earlierRow, {
    text: `select ${columnsOf(earlierRow, { subject: "n.subject", place: "n.place", status: "a.status", graphName: "g.name" })}
      from notification one
      join notification n on n.message_id = one.message_id and n.user_id = one.user_id and n.place = one.place
      left join approval a on a.id = n.subject left join run r on r.id = a.run_id left join graph g on g.id = r.graph_id
      where one.user_id = $1 and one.channel = $2 and one.subject = $3 and one.status = 'delivered'
        and one.type in ('approval.requested', 'approval.reminded')
      order by n.created_at, n.id`,
    values: [userId, channel, approvalId],
  });

/** Records what came of an attempt. A later claim's rows stay. */
export const noteNotifications = async (
  claimed: readonly ClaimedNotification[],
  { status, code, fault, nextAt, at, place = null }: NotificationOutcome,
): Promise<void> => {
  const [first] = claimed;
  if (!first) return;
  const end = status === "pending" ? { nextAt: new Date(nextAt ?? at) } : { endedAt: new Date(at) };
  await getDatabase().notification.updateMany({
    where: { id: { in: claimed.map(({ id }) => id) }, status: "pending", attempts: first.attempts },
    data: { status, code, fault, place, ...end },
  });
  if (place !== null) await queueMissedUpdates(claimed);
};

export const forgetNotifications = async (before: number): Promise<void> => {
  await execute(getPool(), { text: "delete from notification where created_at < $1", values: [new Date(before)] });
};

const addressRow = z.object({ email: z.string(), workspaceName: z.string() });

export const findMemberAddress = (workspaceId: string, userId: string): Promise<z.infer<typeof addressRow> | null> =>
  queryRow(getPool(), addressRow, {
    text: `select ${columnsOf(addressRow, { email: "u.email", workspaceName: "w.name" })}
     from membership m join app_user u on u.id = m.user_id join workspace w on w.id = m.workspace_id
     where m.workspace_id = $1 and m.user_id = $2 and m.disabled_at is null`,
    values: [workspaceId, userId],
  });

export const getRecipientKey = ({ userId, channel }: { readonly userId: string; readonly channel: Channel }): string =>
  `${userId} ${channel}`;
