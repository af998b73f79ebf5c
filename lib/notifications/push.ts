import {
  ACTION_LABELS,
  describeItem,
  describeMessage,
  formatExpiry,
  sortItems,
  type NotificationItem,
  type NotificationMessage,
} from "./message";
import { toPlainText } from "@/lib/plain-text";
import type { LinkAction } from "./reply-link";

export type PushContent = {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly url: string;
  /** Browsers show two. */
  readonly actions: readonly { readonly action: LinkAction; readonly title: string; readonly url: string }[];
};

const MOST_TITLE = 120;
const MOST_BODY = 600;
/** RFC 8291, section 4. */
const MOST_BYTES = 3_993;
const SHOWN_ACTIONS = ["reject", "snooze", "comment"] as const;

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text);

const actionsOf = ({ actions }: NotificationItem): PushContent["actions"] =>
  SHOWN_ACTIONS.flatMap((action) => {
    const url = actions.find(({ kind }) => kind === action)?.url;

    return url === undefined ? [] : [{ action, title: ACTION_LABELS[action], url }];
  });

const describeOne = (item: NotificationItem, timeZone: string): string =>
  [
    describeItem(item),
    ...item.signals.map(({ text }) => `! ${toPlainText(text)}`),
    `Expires ${formatExpiry(item.expiresAt, timeZone)} (${timeZone})`,
  ].join("\n");

const bodyOf = ({ isTest, items, mentions, timeZone }: NotificationMessage): string => {
  const [first] = items;
  if (isTest) return "Notifications reach you in this browser.";
  if (items.length === 1 && first) return describeOne(first, timeZone);
  if (items.length > 1)
    return sortItems(items)
      .map(({ sentence }) => toPlainText(sentence))
      .join("\n");

  return mentions.flatMap(({ text }) => (text === null ? [] : [`"${toPlainText(text)}"`])).join("\n");
};

const urlOf = ({ isTest, items, mentions, settingsUrl }: NotificationMessage): string => {
  const [first, ...rest] = [...items.flatMap(({ actions }) => actions.filter(({ kind }) => kind === "open")), ...mentions];
  if (isTest) return settingsUrl;

  return first && rest.length === 0 ? first.url : new URL("/approvals", settingsUrl).href;
};

export const renderPush = (message: NotificationMessage): string => {
  const [first] = message.items;
  const content: PushContent = {
    title: cut(describeMessage(message), MOST_TITLE),
    body: cut(bodyOf(message), MOST_BODY),
    tag: message.id,
    url: urlOf(message),
    actions: message.items.length === 1 && first ? actionsOf(first) : [],
  };
  const text = JSON.stringify(content);

  return new TextEncoder().encode(text).length > MOST_BYTES ? JSON.stringify({ ...content, actions: [] }) : text;
};
