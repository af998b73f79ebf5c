/** Renders a message as Slack's Block Kit. Values are plain text, where Slack finds no links, mentions or emoji. */
import type { JsonObject } from "@/lib/json";
import {
  ACTION_LABELS,
  describeItem,
  describeMention,
  describeMessage,
  formatExpiry,
  sortItems,
  type ClosedItem,
  type MentionItem,
  type NotificationAction,
  type NotificationItem,
  type NotificationMessage,
} from "./message";
import { toPlainText } from "@/lib/plain-text";

/** Input and button of one request share its number. */
export const TEXT_ACTION = "text";
export const getTextBlock = (buttonBlock: string): string => buttonBlock.replace(/^do/u, "text");

const LABELS = { ...ACTION_LABELS, reject: "Reject", request_changes: "Request changes", comment: "Comment", snooze: "Snooze 4 hours" };

const DONE = { reject: "You rejected this.", request_changes: "You requested changes.", comment: "You commented." };

const MOST_LINES = 2_900;

const plain = (text: string): JsonObject => ({ type: "plain_text", text, emoji: false });
const section = (text: string): JsonObject => ({ type: "section", text: plain(text.slice(0, MOST_LINES).toWellFormed()) });

const CONFIRM_APPROVAL: JsonObject = {
  title: plain("Approve this?"),
  text: plain("It then happens as this message says. Your approval is recorded as from Slack."),
  confirm: plain("Approve"),
  deny: plain("Cancel"),
};

const tokenOf = (url: string): string => new URL(url).searchParams.get("token") ?? "";

const button = ({ kind, url }: NotificationAction, label: string = LABELS[kind]): JsonObject => ({
  type: "button",
  action_id: kind,
  text: plain(label),
  ...(kind === "open" ? { url } : { value: tokenOf(url) }),
  ...(kind === "reject" ? { style: "danger" } : {}),
  ...(kind === "approve" ? { style: "primary", confirm: CONFIRM_APPROVAL } : {}),
});

const REASON: JsonObject = {
  type: "input",
  optional: true,
  label: plain("Reason or comment"),
  element: { type: "plain_text_input", action_id: TEXT_ACTION, multiline: true, max_length: 2_000 },
};

const renderItem = (item: NotificationItem, index: number, timeZone: string): readonly JsonObject[] => {
  const { signals, values = [], expiresAt, actions, done } = item;
  const takesText = actions.some(({ kind }) => kind !== "open" && kind !== "snooze");
  const lines = [
    describeItem(item),
    ...signals.map(({ text }) => `! ${toPlainText(text)}`),
    `Expires ${formatExpiry(expiresAt, timeZone)} (${timeZone})`,
    ...done.map((action) => DONE[action]),
  ];

  return [
    section(toPlainText(item.sentence)),
    ...(values.length === 0 ? [] : [section(values.map(toPlainText).join("\n"))]),
    section(lines.join("\n")),
    ...(takesText ? [{ ...REASON, block_id: `text ${index}` }] : []),
    { type: "actions", block_id: `do ${index}`, elements: actions.map((action) => button(action)) },
    { type: "divider" },
  ];
};

const renderClosed = ({ graphName, outcome, url }: ClosedItem, index: number): readonly JsonObject[] => [
  section(`Request in ${toPlainText(graphName)}: ${outcome}.`),
  { type: "actions", block_id: `closed ${index}`, elements: [{ type: "button", action_id: "open", text: plain("Open"), url }] },
];

const renderMention = (mention: MentionItem, index: number): readonly JsonObject[] => [
  section([describeMention(mention), ...(mention.text === null ? [] : [`"${toPlainText(mention.text)}"`])].join("\n")),
  { type: "actions", block_id: `mention ${index}`, elements: [button({ kind: "open", url: mention.url }, "Open the comment")] },
];

const bodyOf = ({ code, isTest, items, closed, mentions, timeZone }: NotificationMessage): readonly JsonObject[] => {
  if (code !== null)
    return [
      section(`${code} links this Slack account to Countersign. Enter it in the settings. If you asked for none, ignore this message.`),
    ];
  if (isTest) return [section("This is a test. Notifications reach you here.")];

  return [
    ...sortItems(items).flatMap((item, index) => renderItem(item, index, timeZone)),
    ...closed.flatMap(renderClosed),
    ...mentions.flatMap(renderMention),
  ];
};

/** Slack's own escapes: the fallback text is markup. */
const escapeMarkup = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Renders the arguments of `chat.postMessage` beside the channel. */
export const renderSlack = (message: NotificationMessage): JsonObject => ({
  text: escapeMarkup(describeMessage(message)),
  blocks: [...bodyOf(message)],
  unfurl_links: false,
  unfurl_media: false,
});
