/** Without images, tracking or remote content. */
import {
  ACTION_LABELS,
  describeItem,
  describeMention,
  describeMessage,
  formatExpiry,
  sortItems,
  type MentionItem,
  type NotificationItem,
  type NotificationMessage,
} from "./message";
import { toPlainText } from "@/lib/plain-text";

export type MailContent = { readonly subject: string; readonly text: string; readonly html: string };

const TEST_TEXT = "This is a test. Notifications reach you at this address.";

const REPLY_NOTE = "The other links are yours alone and ask before they do anything. Approving needs the page.";

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");

const linesOf = (item: NotificationItem, timeZone: string) => ({
  sentence: toPlainText(item.sentence),
  facts: describeItem(item),
  signals: item.signals.map(({ text }) => toPlainText(text)),
  expiry: `Expires ${formatExpiry(item.expiresAt, timeZone)} (${timeZone})`,
});

const renderItemText = (item: NotificationItem, timeZone: string): string => {
  const { sentence, facts, signals, expiry } = linesOf(item, timeZone);
  const actions = item.actions.map(({ kind, url }) => `${ACTION_LABELS[kind]}\n${url}`);

  return [sentence, facts, ...signals.map((signal) => `! ${signal}`), expiry, "", ...actions].join("\n");
};

const renderItemHtml = (item: NotificationItem, timeZone: string): string => {
  const { sentence, facts, signals, expiry } = linesOf(item, timeZone);
  const list = signals.map((signal) => `<li>${escapeHtml(signal)}</li>`).join("");
  const actions = item.actions.map(({ kind, url }) => `<a href="${escapeHtml(url)}">${ACTION_LABELS[kind]}</a>`).join(" &nbsp; ");

  return (
    `<h2 style="font-size:16px;margin:24px 0 4px">${escapeHtml(sentence)}</h2><p style="margin:0 0 8px;color:#57606a">${escapeHtml(facts)}</p>` +
    `${list === "" ? "" : `<ul style="margin:0 0 8px">${list}</ul>`}<p style="margin:0 0 8px">${escapeHtml(expiry)}</p><p style="margin:0 0 16px">${actions}</p>`
  );
};

const renderMentionText = (mention: MentionItem): string =>
  [describeMention(mention), ...(mention.text === null ? [] : [`"${toPlainText(mention.text)}"`]), "", mention.url].join("\n");

const renderMentionHtml = (mention: MentionItem): string =>
  `<p style="margin:24px 0 4px">${escapeHtml(describeMention(mention))}</p>` +
  (mention.text === null ? "" : `<blockquote style="margin:0 0 8px">${escapeHtml(toPlainText(mention.text))}</blockquote>`) +
  `<p style="margin:0 0 16px"><a href="${escapeHtml(mention.url)}">Open the comment</a></p>`;

export const renderMail = (message: NotificationMessage): MailContent => {
  const { isTest, items, mentions, settingsUrl, timeZone } = message;
  const sorted = sortItems(items);
  const hasReplies = sorted.some(({ actions }) => actions.some(({ kind }) => kind !== "open"));
  const notes = hasReplies ? [REPLY_NOTE] : [];
  const text = [
    ...(isTest ? [TEST_TEXT] : [...sorted.map((item) => renderItemText(item, timeZone)), ...mentions.map(renderMentionText)]),
    [...notes, `Change or stop these e-mails: ${settingsUrl}`].join("\n"),
  ].join("\n\n----\n\n");
  const body = isTest
    ? `<p>${TEST_TEXT}</p>`
    : [...sorted.map((item) => renderItemHtml(item, timeZone)), ...mentions.map(renderMentionHtml)].join("");
  const footer = [...notes.map(escapeHtml), `<a href="${escapeHtml(settingsUrl)}">Change or stop these e-mails</a>`].join("<br>");

  return {
    subject: describeMessage(message),
    text: `${text}\n`,
    html:
      `<!doctype html><html lang="en"><meta charset="utf-8"><body style="font-family:sans-serif;font-size:14px;color:#1f2328;max-width:640px">${body}` +
      `<hr style="border:0;border-top:1px solid #d0d7de"><p style="color:#57606a;font-size:12px">${footer}</p></body></html>`,
  };
};
