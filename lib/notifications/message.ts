/** Notification before rendering, without values hidden from the member. */
import type { AuthorityClass, Risk } from "@/lib/engine/approvals/authority-class";
import type { Signal } from "@/lib/engine/approvals/signals";
import type { LinkAction, ReplyAction } from "@/lib/notifications/reply-link";
import { toPlainText } from "@/lib/plain-text";

export type NotificationAction = { readonly kind: "open" | "approve" | LinkAction; readonly url: string };

export type NotificationItem = {
  readonly sentence: string;
  readonly authority: AuthorityClass;
  readonly risk: Risk;
  /** Server and tool; null without a call. */
  readonly target: string | null;
  readonly graphName: string;
  readonly signals: readonly Signal[];
  /** Every value, where it may be approved from the message. */
  readonly values?: readonly string[];
  readonly expiresAt: number;
  readonly actions: readonly NotificationAction[];
  /** Actions that its reader already sent by a link. */
  readonly done: readonly ReplyAction[];
  /** By the signed records, now. */
  readonly canDecide: boolean;
};

export type MentionItem = {
  readonly author: string;
  readonly graphName: string;
  /** Null: hidden from the reader, or from messages. */
  readonly text: string | null;
  readonly url: string;
};

/** A request of an earlier message that is no longer open. */
export type ClosedItem = { readonly graphName: string; readonly outcome: string; readonly url: string };

export type NotificationMessage = {
  /** Equal on every attempt, so receivers drop repeats. */
  readonly id: string;
  readonly isTest: boolean;
  readonly isReminder: boolean;
  readonly isEscalated?: boolean;
  /** Proves the account it is sent to. */
  readonly code: string | null;
  readonly workspaceName: string;
  readonly items: readonly NotificationItem[];
  readonly closed: readonly ClosedItem[];
  readonly mentions: readonly MentionItem[];
  readonly settingsUrl: string;
  readonly timeZone: string;
};

export const AUTHORITY_LABELS = {
  none: "No authority change",
  read: "Read",
  write: "Write",
  protected: "Protected",
  irreversible: "Irreversible",
} as const satisfies Record<AuthorityClass, string>;

export const RISK_LABELS = { low: "Low risk", medium: "Medium risk", high: "High risk" } as const satisfies Record<Risk, string>;

export const ACTION_LABELS = {
  open: "Open to decide",
  approve: "Approve",
  reject: "Reject…",
  request_changes: "Request changes…",
  comment: "Comment…",
  snooze: "Snooze…",
} as const satisfies Record<NotificationAction["kind"], string>;

const RISK_ORDER = { high: 0, medium: 1, low: 2 } as const satisfies Record<Risk, number>;

export const sortItems = (items: readonly NotificationItem[]): readonly NotificationItem[] =>
  items.toSorted((a, b) => RISK_ORDER[a.risk] - RISK_ORDER[b.risk] || a.expiresAt - b.expiresAt);

export const formatExpiry = (expiresAt: number, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "medium", timeStyle: "short" }).format(expiresAt);

export const describeItem = ({ authority, risk, target, graphName }: NotificationItem): string =>
  [AUTHORITY_LABELS[authority], RISK_LABELS[risk], target, graphName].flatMap((part) => (part ? [toPlainText(part)] : [])).join(" · ");

const count = (items: number, one: string): string => `${items} ${one}${items === 1 ? "" : "s"}`;

export const describeMention = ({ author, graphName }: MentionItem): string =>
  toPlainText(`${author} mentioned you in a comment on ${graphName || "a run"}`);

export const describeMessage = ({
  isTest,
  isReminder,
  isEscalated,
  code,
  items,
  closed,
  mentions,
  workspaceName,
}: NotificationMessage): string => {
  if (code !== null) return `Your code is ${code}`;
  if (items.length === 0 && closed.length > 0) return "No request of this message is open";
  if (isTest) return toPlainText(`Test notification from ${workspaceName}`);
  const [mention, ...further] = mentions;
  if (mention) return further.length === 0 ? describeMention(mention) : `${count(mentions.length, "comment")} mention you`;
  const [first] = items;
  const isHigh = items.some(({ risk }) => risk === "high");
  const reminder = isEscalated ? "Escalated: " : isReminder ? "Reminder: " : "";
  const kind = isHigh ? "High risk: " : reminder === "" ? "Approval: " : "";
  if (items.length === 1 && first) return toPlainText(`${reminder}${kind}${first.sentence}`);

  return toPlainText(`${reminder}${count(items.length, "approval request")} waiting in ${workspaceName}${isHigh ? ", high risk" : ""}`);
};
