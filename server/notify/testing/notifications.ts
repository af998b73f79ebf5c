import { createMailChannel, type NotificationChannel } from "@/server/notify/channel";
import { sendMail } from "@/server/notify/mail-send";
import { claimMessages, type NotificationDeps } from "@/server/notify/notifications";
import type { Clock } from "@/server/clock";
import { findMemberAddress } from "@/server/store/notifications/outbox";
import { asAdmin } from "@/server/mcp/testing/registered";
import { queryOn } from "@/server/testing/connections";
import type { NotificationSetting } from "@/lib/notifications/setting";
import { DEFAULT_SETTING } from "@/lib/notifications/setting";

const FROM = "Approvals <approvals@example.com>";

/** The e-mail channel to a local server, without a tool host. */
export const channelTo = (port: number): NotificationChannel =>
  createMailChannel({ server: { host: "127.0.0.1", port, tls: "off", user: null, password: null }, from: FROM }, (request) =>
    sendMail(request),
  );

/** Sends everything due once. @returns the number of messages */
export const sendDueMessages = async (deps: NotificationDeps): Promise<number> => {
  let messages = 0;
  for (;;) {
    const now = deps.clock.now();
    const jobs = await claimMessages(deps, { now, until: now + 30_000, busy: [], limit: 8 });
    if (jobs.length === 0) return messages;
    messages += jobs.length;
    await Promise.all(jobs.map(({ run }) => run()));
  }
};

export const chooseSetting = (
  admin: string,
  workspace: string,
  user: string,
  changes: Partial<NotificationSetting> = {},
): Promise<void> => {
  const { about, classes, cadence, dailyAt, quiet, timeZone } = { ...DEFAULT_SETTING, timeZone: "UTC", ...changes };

  return asAdmin(
    admin,
    `insert into notification_setting (workspace_id, user_id, channel, about, classes, cadence, daily_at, quiet_from, quiet_until, time_zone)
     values ($1, $2, 'mail', $3, $4, $5, $6, $7, $8, $9)
     on conflict (workspace_id, user_id, channel) do update set about = excluded.about, classes = excluded.classes,
       cadence = excluded.cadence, daily_at = excluded.daily_at, quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until`,
    [workspace, user, about, classes, cadence, dailyAt, quiet?.from ?? null, quiet?.until ?? null, timeZone],
  );
};

type NotificationRow = {
  readonly id: string;
  readonly user_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly code: number | null;
  readonly fault: string | null;
  readonly message_id: string | null;
  readonly next_at: Date;
};

export const notificationsOf = (admin: string, workspace: string): Promise<NotificationRow[]> =>
  queryOn<NotificationRow>(
    admin,
    "select id, user_id, status, attempts, code, fault, message_id, next_at from notification where workspace_id = $1 order by created_at, id",
    [workspace],
  );

const describeStand: NotificationDeps["describe"] = (_workspace, approvalId) =>
  Promise.resolve({
    sentence: `Give cus_1005 a credit (${approvalId})`,
    authority: "write",
    risk: "medium",
    target: "customers.update_plan",
    graphName: "Support desk",
    signals: [],
    expiresAt: Date.UTC(2030, 0, 1),
    actions: [{ kind: "open", url: `http://localhost:3000/approvals/${approvalId}` }],
    done: [],
    canDecide: true,
  });

/** Creates what a stand without a run needs; each destination is the member's e-mail address. */
export const createStandDeps = (clock: Clock, channels: NotificationDeps["channels"]): NotificationDeps => ({
  clock,
  channels,
  origin: "http://localhost:3000",
  findDestination: async (workspaceId, userId) => {
    const member = await findMemberAddress(workspaceId, userId);

    return member && { workspaceName: member.workspaceName, address: member.email };
  },
  findCode: () => Promise.resolve(null),
  describe: describeStand,
  describeMention: () => Promise.resolve(null),
});
