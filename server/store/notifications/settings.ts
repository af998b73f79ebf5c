import { z } from "zod";
import {
  CHANNELS,
  channelSchema,
  NOTIFICATION_STATUSES,
  notificationSettingSchema,
  notificationTypeSchema,
  type Channel,
  type NotificationSetting,
} from "@/lib/notifications/setting";
import { DELIVERY_FAULTS } from "@/lib/webhooks/types";
import { getDatabase, runInWorkspace, scopeToWorkspace } from "@/server/db/client";
import { msSchema } from "@/server/store/times";

const MOST_SHOWN = 20;

type Row = Omit<NotificationSetting, "quiet" | "about" | "classes" | "cadence"> & {
  readonly about: string;
  readonly classes: readonly string[];
  readonly cadence: string;
  readonly quietFrom: number | null;
  readonly quietUntil: number | null;
};

const toSetting = ({ quietFrom: from, quietUntil: until, about, classes, cadence, dailyAt, timeZone }: Row): NotificationSetting =>
  notificationSettingSchema.parse({
    about,
    classes,
    cadence,
    dailyAt,
    quiet: from === null || until === null ? null : { from, until },
    timeZone,
  });

export const getNotificationSetting = async (
  workspaceId: string,
  userId: string,
  channel: Channel,
): Promise<NotificationSetting | null> => {
  const row = await scopeToWorkspace(workspaceId).notificationSetting.findFirst({ where: { workspaceId, userId, channel } });

  return row && toSetting(row);
};

/** Runner's role only. */
export const readNotificationSetting = async (
  workspaceId: string,
  userId: string,
  channel: Channel,
): Promise<NotificationSetting | null> => {
  const row = await getDatabase().notificationSetting.findFirst({ where: { workspaceId, userId, channel } });

  return row && toSetting(row);
};

/** Null stops the channel. */
export const saveNotificationSetting = (
  workspaceId: string,
  userId: string,
  channel: Channel,
  setting: NotificationSetting | null,
): Promise<void> =>
  runInWorkspace(workspaceId, async (tx) => {
    if (setting === null) {
      await tx.notificationSetting.deleteMany({ where: { workspaceId, userId, channel } });

      return;
    }
    const { quiet, classes, ...fields } = setting;
    const data = {
      ...fields,
      classes: [...classes],
      quietFrom: quiet?.from ?? null,
      quietUntil: quiet?.until ?? null,
      updatedAt: new Date(),
    };
    await tx.notificationSetting.upsert({
      where: { workspaceId_userId_channel: { workspaceId, userId, channel } },
      create: { workspaceId, userId, channel, ...data },
      update: data,
    });
  });

const shownRow = z.object({
  id: z.string(),
  channel: channelSchema,
  type: notificationTypeSchema,
  subject: z.string(),
  status: z.enum(NOTIFICATION_STATUSES),
  attempts: z.number(),
  nextAt: msSchema,
  code: z.number().nullable(),
  fault: z.enum(DELIVERY_FAULTS).nullable(),
  createdAt: msSchema,
  endedAt: msSchema.nullable(),
});
export type ShownNotification = z.infer<typeof shownRow>;

export const listNotifications = async (workspaceId: string, userId: string, channel: Channel): Promise<readonly ShownNotification[]> => {
  const rows = await scopeToWorkspace(workspaceId).notification.findMany({
    where: { workspaceId, userId, channel },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_SHOWN,
  });

  return z.array(shownRow).parse(rows);
};

/** Queues a test to the member themself. @returns false while another one is under way */
export const queueTestNotification = (workspaceId: string, userId: string, channel: Channel, id: string): Promise<boolean> =>
  runInWorkspace(workspaceId, async (tx) => {
    // The web process may not insert the runner's columns.
    const queued = await tx.$executeRaw`
      insert into notification (workspace_id, id, user_id, channel, type, subject)
      select ${workspaceId}::uuid, ${id}::uuid, ${userId}::uuid, ${channel}, 'test', ${id}::uuid
      where not exists (
        select from notification n where n.user_id = ${userId}::uuid and n.channel = ${channel} and n.type = 'test' and n.status = 'pending')`;

    return queued === 1;
  });

const MOST_MEMBERS = 500;

export type MemberReach = {
  readonly userId: string;
  readonly channel: Channel;
  readonly setting: NotificationSetting | null;
  readonly latest: ShownNotification | null;
};

const ofSchema = z.object({ userId: z.string(), channel: channelSchema });

export const listReach = async (workspaceId: string): Promise<readonly MemberReach[]> => {
  const database = scopeToWorkspace(workspaceId);
  const where = { workspaceId };
  const take = MOST_MEMBERS * CHANNELS.length;
  const [settings, latest] = await Promise.all([
    database.notificationSetting.findMany({ where, take }),
    database.notification.findMany({
      where,
      distinct: ["userId", "channel"],
      orderBy: [{ userId: "asc" }, { channel: "asc" }, { createdAt: "desc" }],
      take,
    }),
  ]);
  const isOf = (row: { userId: string; channel: string }) => (one: { userId: string; channel: string }) =>
    one.userId === row.userId && one.channel === row.channel;
  const rows = [...settings, ...latest.filter((row) => !settings.some(isOf(row)))].map((row) => ofSchema.parse(row));

  return rows.map((row) => {
    const setting = settings.find(isOf(row));
    const last = latest.find(isOf(row));

    return { ...row, setting: setting ? toSetting(setting) : null, latest: last ? shownRow.parse(last) : null };
  });
};
