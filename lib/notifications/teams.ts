/** An Adaptive Card, whose text runs have no markup. */
import type { JsonObject } from "@/lib/json";
import {
  describeItem,
  describeMention,
  describeMessage,
  formatExpiry,
  sortItems,
  type MentionItem,
  type NotificationMessage,
} from "./message";
import { toPlainText } from "@/lib/plain-text";

const MOST_CHARS = 2_000;

const run = (text: string, more: JsonObject = {}): JsonObject => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text: text.slice(0, MOST_CHARS).toWellFormed(), ...more }],
});

const mentionOf = (mention: MentionItem): readonly JsonObject[] => [
  run(describeMention(mention), { size: "Medium", weight: "Bolder" }),
  ...(mention.text === null ? [] : [run(toPlainText(mention.text))]),
];

const bodyOf = ({ isTest, code, items, closed, mentions, timeZone }: NotificationMessage): readonly JsonObject[] => {
  if (code !== null) return [run(`Your code is ${code}. Enter it in Countersign under Settings within ten minutes.`)];
  if (isTest) return [run("This is a test. Approval requests reach this chat.")];

  return [
    ...sortItems(items).flatMap((item) => [
      run(toPlainText(item.sentence), { size: "Medium", weight: "Bolder" }),
      run(describeItem(item), { isSubtle: true }),
      ...item.signals.map(({ text }) => run(`! ${toPlainText(text)}`, { color: "Attention" })),
      run(`Expires ${formatExpiry(item.expiresAt, timeZone)} (${timeZone})`),
    ]),
    ...mentions.flatMap(mentionOf),
    ...closed.map(({ graphName, outcome }) => run(`Request in ${toPlainText(graphName)}: ${outcome}.`)),
  ];
};

const linksOf = ({ items, closed, mentions }: NotificationMessage): readonly JsonObject[] =>
  [
    ...items.flatMap(({ actions }) => actions.flatMap(({ kind, url }) => (kind === "open" ? [{ title: "Open to decide", url }] : []))),
    ...[...mentions, ...closed].map(({ url }) => ({ title: "Open", url })),
  ].map((link) => ({ type: "Action.OpenUrl", ...link }));

export const renderTeams = (message: NotificationMessage): JsonObject => ({
  type: "message",
  summary: describeMessage(message),
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        fallbackText: describeMessage(message),
        body: [...bodyOf(message)],
        actions: [...linksOf(message)],
      },
    },
  ],
});
