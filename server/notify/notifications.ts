/** Due rows become one message for each recipient. */
import type { NotificationItem, NotificationMessage } from "@/lib/notifications/message";
import { findDeliveryTime } from "@/lib/notifications/schedule";
import { waitAfterMs } from "@/lib/webhooks/schedule";
import type { Clock } from "@/server/clock";
import { log } from "@/server/log";
import {
  claimNotifications,
  dropNotifications,
  findMemberAddress,
  forgetNotifications,
  getRecipientKey,
  listDueRecipients,
  noteNotifications,
  postponeNotifications,
  type ClaimedNotification,
  type DueRecipient,
} from "@/server/store/notifications/outbox";
import { readNotificationSetting } from "@/server/store/notifications/settings";
import type { ChannelOutcome, DeliverMessage } from "./channel";
import { workOutbox, type OutboxJob, type Turn } from "./outbox-worker";

/** The rest follows in the next message. */
const MOST_ITEMS = 20;
const UTC = "UTC";

export type NotificationDeps = {
  readonly clock: Clock;
  readonly deliver: DeliverMessage;
  /** Without a path. */
  readonly origin: string;
  /** Null: no longer open, or not for this person. */
  readonly describe: (workspaceId: string, approvalId: string, userId: string) => Promise<NotificationItem | null>;
};

type Claimed = DueRecipient & { readonly messageId: string; readonly rows: readonly ClaimedNotification[]; readonly timeZone: string };

type Described = { readonly row: ClaimedNotification; readonly item: NotificationItem | null };

const describeAll = async ({ describe }: NotificationDeps, { workspaceId, userId, rows }: Claimed): Promise<readonly Described[]> => {
  const described: Described[] = [];
  // One after another: a digest must not hold up the runs.
  for (const row of rows) described.push({ row, item: await describe(workspaceId, row.subject, userId) });

  return described;
};

const noteOutcome = async (claimed: Claimed, sent: readonly ClaimedNotification[], outcome: ChannelOutcome, at: number): Promise<void> => {
  const { messageId, type } = claimed;
  const [first] = sent;
  if (!first) return;
  const { code } = outcome;
  if (outcome.ok) return noteNotifications(sent, { status: "delivered", code, fault: null, nextAt: null, at });
  const { fault, isFinal } = outcome;
  log().info({ message: messageId, attempt: first.attempts, code, fault }, "a notification did not arrive");
  // A person testing waits for the answer.
  const waitMs = isFinal || type === "test" ? null : waitAfterMs(messageId, first.attempts);

  return noteNotifications(sent, {
    status: waitMs === null ? "failed" : "pending",
    code,
    fault,
    nextAt: waitMs === null ? null : at + waitMs,
    at,
  });
};

const drop = (rows: readonly ClaimedNotification[], at: number): Promise<void> =>
  noteNotifications(rows, { status: "dropped", code: null, fault: null, nextAt: null, at });

/** Sends a claimed message once. After a crash its rows stay due under the same id. */
const deliverClaimed = async (deps: NotificationDeps, claimed: Claimed): Promise<void> => {
  const { workspaceId, userId, messageId, type, rows, timeZone } = claimed;
  const isTest = type === "test";
  const address = await findMemberAddress(workspaceId, userId);
  if (!address) return drop(rows, deps.clock.now());
  const described = isTest ? [] : await describeAll(deps, claimed);
  const gone = described.flatMap(({ row, item }) => (item ? [] : [row]));
  const items = described.flatMap(({ item }) => item ?? []);
  const sent = isTest ? rows : described.flatMap(({ row, item }) => (item ? [row] : []));
  await drop(gone, deps.clock.now());
  if (sent.length === 0) return;
  const settingsUrl = `${deps.origin}/settings#notifications`;
  const message: NotificationMessage = { id: messageId, isTest, workspaceName: address.workspaceName, items, settingsUrl, timeZone };
  await noteOutcome(claimed, sent, await deps.deliver(message, address.email), deps.clock.now());
};

const claimFor = async (deps: NotificationDeps, due: DueRecipient, { now, until }: Turn): Promise<Claimed | null> => {
  const { workspaceId, userId, channel, type } = due;
  const setting = await readNotificationSetting(workspaceId, userId, channel);
  const isRetry = due.messageId !== null;
  if (type !== "test" && !isRetry) {
    if (setting === null) {
      await dropNotifications(due, now);

      return null;
    }
    const atMs = findDeliveryTime(setting, due.createdAt, now);
    if (atMs > now) {
      await postponeNotifications(due, now, atMs);

      return null;
    }
  }
  const messageId = due.messageId ?? deps.clock.id();
  const rows = await claimNotifications({ ...due, messageId, isRetry, now, until, limit: MOST_ITEMS });

  return rows.length === 0 ? null : { ...due, messageId, rows, timeZone: setting?.timeZone ?? UTC };
};

/** Claims due messages, as jobs. */
export const claimMessages = async (deps: NotificationDeps, turn: Turn): Promise<readonly OutboxJob[]> => {
  const jobs: OutboxJob[] = [];
  for (const due of await listDueRecipients(turn)) {
    const claimed = await claimFor(deps, due, turn);
    if (claimed) jobs.push({ key: getRecipientKey(due), run: () => deliverClaimed(deps, claimed) });
  }

  return jobs;
};

/** Sends notifications, one message at a time for each recipient. */
export const workNotifications = (deps: NotificationDeps, signal: AbortSignal): Promise<void> =>
  workOutbox({ what: "notifications", claim: (turn) => claimMessages(deps, turn), forget: forgetNotifications }, deps.clock, signal);
