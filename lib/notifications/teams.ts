/** An Adaptive Card, whose text runs have no markup. */
import type { JsonObject } from "@/lib/json";
import { describeItem, describeMessage, formatExpiry, sortItems, type NotificationMessage } from "./message";
import { toPlainText } from "@/lib/plain-text";

const MOST_CHARS = 2_000;

const run = (text: string, more: JsonObject = {}): JsonObject => ({
  type: "RichTextBlock",
  inlines: [{ type: "TextRun", text: text.slice(0, MOST_CHARS).toWellFormed(), ...more }],
});

const bodyOf = ({ isTest, items, closed, timeZone }: NotificationMessage): readonly JsonObject[] => {
  if (isTest) return [run("This is a test. Approval requests reach this chat.")];

  return [
    ...sortItems(items).flatMap((item) => [
      run(toPlainText(item.sentence), { size: "Medium", weight: "Bolder" }),
      run(describeItem(item), { isSubtle: true }),
      ...item.signals.map(({ text }) => run(`! ${toPlainText(text)}`, { color: "Attention" })),
      run(`Expires ${formatExpiry(item.expiresAt, timeZone)} (${timeZone})`),
    ]),
    ...closed.map(({ graphName, outcome }) => run(`Request in ${toPlainText(graphName)}: ${outcome}.`)),
  ];
};

const linksOf = ({ items, closed }: NotificationMessage): readonly JsonObject[] =>
  [
    ...items.flatMap(({ actions }) => actions.flatMap(({ kind, url }) => (kind === "open" ? [{ title: "Open to decide", url }] : []))),
    ...closed.map(({ url }) => ({ title: "Open", url })),
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
