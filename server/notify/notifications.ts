/** Due rows become one message for each recipient. */
import type { ClosedItem, MentionItem, NotificationItem, NotificationMessage } from "@/lib/notifications/message";
import { findDeliveryTime } from "@/lib/notifications/schedule";
import { waitAfterMs } from "@/lib/webhooks/schedule";
import { linkInto } from "@/lib/workspace-link";
import type { Clock } from "@/server/clock";
import { log } from "@/server/log";
import {
  claimNotifications,
  dropNotifications,
  forgetNotifications,
  getRecipientKey,
  listEarlierItems,
  listDueRecipients,
  noteNotifications,
  postponeNotifications,
  type ClaimedNotification,
  type DueRecipient,
  type EarlierItem,
} from "@/server/store/notifications/outbox";
import { readNotificationSetting } from "@/server/store/notifications/settings";
import { CHANNELS, SCHEDULED_TYPES, type Channel, type NotificationSetting } from "@/lib/notifications/setting";
import type { ChannelOutcome, NotificationChannel } from "./channel";
import { workOutbox, type OutboxJob, type Turn } from "./outbox-worker";

const UTC = "UTC";

export type Destination = { readonly workspaceName: string; readonly address: string };

export type NotificationDeps = {
  readonly clock: Clock;
  /** Those set up; the rest of a digest follows in the next message. */
  readonly channels: Readonly<Partial<Record<Channel, NotificationChannel>>>;
  /** Null: the member has none. */
  readonly findDestination: (workspaceId: string, userId: string, channel: Channel) => Promise<Destination | null>;
  /** Returns an account to prove, with its code; null: none. */
  readonly findCode: (workspaceId: string, userId: string, channel: Channel) => Promise<(Destination & { readonly code: string }) | null>;
  /** Without a path. */
  readonly origin: string;
  /** Null: no longer open, or not for this person. */
  readonly describe: (workspaceId: string, approvalId: string, userId: string, channel: Channel) => Promise<NotificationItem | null>;
  /** Null: not in the signed records, or not for this person. */
  readonly describeMention: (workspaceId: string, mentionId: string, userId: string) => Promise<MentionItem | null>;
};

type Claimed = DueRecipient & {
  readonly messageId: string;
  readonly rows: readonly ClaimedNotification[];
  readonly setting: NotificationSetting | null;
};

type Described = { readonly row: ClaimedNotification; readonly item: NotificationItem | null };

const describeAll = async (
  { describe }: NotificationDeps,
  { workspaceId, userId, channel, rows }: Claimed,
): Promise<readonly Described[]> => {
  const described: Described[] = [];
  // One after another: a digest must not hold up the runs.
  for (const row of rows) described.push({ row, item: await describe(workspaceId, row.subject, userId, channel) });

  return described;
};

const noteOutcome = async (claimed: Claimed, sent: readonly ClaimedNotification[], outcome: ChannelOutcome, at: number): Promise<void> => {
  const { messageId, type } = claimed;
  const [first] = sent;
  if (!first) return;
  const { code, place } = outcome;
  if (outcome.ok) return noteNotifications(sent, { status: "delivered", code, fault: null, place: place ?? null, nextAt: null, at });
  const { fault, isFinal } = outcome;
  log().info({ message: messageId, attempt: first.attempts, code, fault }, "a notification did not arrive");
  // A person waits for a test or a code.
  const waitMs = isFinal || type === "test" || type === "code" ? null : waitAfterMs(messageId, first.attempts);

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

type Parts = Partial<Pick<NotificationMessage, "isTest" | "isReminder" | "code" | "items" | "closed" | "mentions">>;

const deliver = async (
  deps: NotificationDeps,
  claimed: Claimed,
  { address, workspaceName }: Destination,
  parts: Parts,
  place: string | null = null,
): Promise<ChannelOutcome> => {
  const { messageId: id, setting, workspaceId, userId } = claimed;
  const settingsUrl = `${deps.origin}/settings#notifications`;
  const channel = deps.channels[claimed.channel];
  if (!channel) return { ok: false, code: null, fault: "subject_gone", isFinal: false };

  return channel.deliver(
    {
      id,
      isTest: false,
      isReminder: false,
      code: null,
      workspaceName,
      items: [],
      closed: [],
      mentions: [],
      settingsUrl,
      timeZone: setting?.timeZone ?? UTC,
      ...parts,
    },
    { workspaceId, userId, address },
    place,
  );
};

type Earlier = readonly [EarlierItem, ...EarlierItem[]];

const updateMessage = async (deps: NotificationDeps, claimed: Claimed, to: Destination, earlier: Earlier): Promise<ChannelOutcome> => {
  const { workspaceId, userId, channel } = claimed;
  const items: NotificationItem[] = [];
  const closed: ClosedItem[] = [];
  for (const { subject, status, graphName } of earlier) {
    const item = await deps.describe(workspaceId, subject, userId, channel);
    if (item) items.push(item);
    else
      closed.push({
        graphName: graphName ?? "a removed graph",
        outcome: status === null || status === "open" ? "no longer for you" : status.replaceAll("_", " "),
        url: deps.origin + linkInto(workspaceId, `/approvals/${subject}`),
      });
  }

  return deliver(deps, claimed, to, { items, closed }, earlier[0].place);
};

const deliverUpdate = async (deps: NotificationDeps, claimed: Claimed, to: Destination, row: ClaimedNotification): Promise<void> => {
  const messages = Object.values(Object.groupBy(await listEarlierItems(claimed, row.subject), ({ place }) => place));
  const outcomes: ChannelOutcome[] = [];
  for (const [first, ...rest] of messages.map((each) => each ?? []))
    if (first) outcomes.push(await updateMessage(deps, claimed, to, [first, ...rest]));
  const outcome = outcomes.find(({ ok }) => !ok) ?? outcomes[0];
  await (outcome ? noteOutcome(claimed, [row], outcome, deps.clock.now()) : drop([row], deps.clock.now()));
};

const isTold = ({ type, setting }: Claimed, { canDecide }: NotificationItem): boolean =>
  canDecide || (type === "approval.requested" && setting?.about !== "assigned");

const deliverMentions = async (deps: NotificationDeps, claimed: Claimed, to: Destination): Promise<void> => {
  const { workspaceId, userId, rows } = claimed;
  const mentions: MentionItem[] = [];
  const sent: ClaimedNotification[] = [];
  for (const row of rows) {
    const mention = await deps.describeMention(workspaceId, row.subject, userId);
    if (mention === null) continue;
    mentions.push(mention);
    sent.push(row);
  }
  await drop(
    rows.filter((row) => !sent.includes(row)),
    deps.clock.now(),
  );
  if (sent.length > 0) await noteOutcome(claimed, sent, await deliver(deps, claimed, to, { mentions }), deps.clock.now());
};

/** Sends a claimed message once. After a crash its rows stay due under the same id. */
const deliverClaimed = async (deps: NotificationDeps, claimed: Claimed): Promise<void> => {
  const { workspaceId, userId, channel, type, rows } = claimed;
  const code = type === "code" ? await deps.findCode(workspaceId, userId, channel) : null;
  const to = type === "code" ? code : await deps.findDestination(workspaceId, userId, channel);
  if (!to) return drop(rows, deps.clock.now());
  if (type === "code") return noteOutcome(claimed, rows, await deliver(deps, claimed, to, { code: code?.code ?? "" }), deps.clock.now());
  if (type === "test") return noteOutcome(claimed, rows, await deliver(deps, claimed, to, { isTest: true }), deps.clock.now());
  if (type === "mention") return deliverMentions(deps, claimed, to);
  if (type === "approval.updated") {
    for (const row of rows) await deliverUpdate(deps, claimed, to, row);

    return;
  }
  const described = (await describeAll(deps, claimed)).map(({ row, item }) => ({ row, item: item && isTold(claimed, item) ? item : null }));
  const gone = described.flatMap(({ row, item }) => (item ? [] : [row]));
  const items = described.flatMap(({ item }) => item ?? []);
  const sent = described.flatMap(({ row, item }) => (item ? [row] : []));
  await drop(gone, deps.clock.now());
  if (sent.length > 0)
    await noteOutcome(
      claimed,
      sent,
      await deliver(deps, claimed, to, { items, isReminder: type === "approval.reminded" }),
      deps.clock.now(),
    );
};

const claimFor = async (deps: NotificationDeps, due: DueRecipient, { now, until }: Turn): Promise<Claimed | null> => {
  const { workspaceId, userId, channel, type } = due;
  const setting = await readNotificationSetting(workspaceId, userId, channel);
  const isRetry = due.messageId !== null;
  if (SCHEDULED_TYPES.includes(type) && !isRetry) {
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
  const rows = await claimNotifications({ ...due, messageId, isRetry, now, until, limit: deps.channels[channel]?.mostItems ?? 1 });

  return rows.length === 0 ? null : { ...due, messageId, rows, setting };
};

export const claimMessages = async (deps: NotificationDeps, turn: Turn): Promise<readonly OutboxJob[]> => {
  const jobs: OutboxJob[] = [];
  for (const due of await listDueRecipients({ ...turn, channels: CHANNELS.filter((channel) => deps.channels[channel]) })) {
    const claimed = await claimFor(deps, due, turn);
    if (claimed) jobs.push({ key: getRecipientKey(due), run: () => deliverClaimed(deps, claimed) });
  }

  return jobs;
};

export const workNotifications = (deps: NotificationDeps, signal: AbortSignal): Promise<void> =>
  workOutbox({ what: "notifications", claim: (turn) => claimMessages(deps, turn), forget: forgetNotifications }, deps.clock, signal);
