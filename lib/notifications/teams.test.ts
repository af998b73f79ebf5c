import { expect, test } from "vitest";
import type { NotificationMessage } from "./message";
import { renderTeams } from "./teams";

const render = (changes: Partial<NotificationMessage>): string =>
  JSON.stringify(
    renderTeams({
      id: "m",
      isTest: false,
      isReminder: false,
      code: null,
      workspaceName: "Acme",
      items: [],
      closed: [],
      mentions: [],
      settingsUrl: "https://desk.example.com/admin/webhooks",
      timeZone: "UTC",
      ...changes,
    }),
  );

const ITEM = {
  sentence: "Give [here](https://evil.example) **cus_1005** a credit",
  authority: "write",
  risk: "high",
  target: "customers.update_plan",
  graphName: "Support desk",
  signals: [{ code: "different_record", risk: "high", text: "Different customer." }],
  expiresAt: Date.UTC(2026, 2, 2, 12),
  actions: [
    { kind: "open", url: "https://desk.example.com/approvals/1" },
    { kind: "reject", url: "https://desk.example.com/reply?do=reject&token=tkn" },
  ],
  done: [],
  canDecide: false,
} as const;

test("a card says sentence, class, signals and expiry, and only opens the page", () => {
  const text = render({ items: [ITEM] });
  for (const part of [
    "Write · High risk · customers.update_plan · Support desk",
    "! Different customer.",
    "Expires 2 Mar 2026, 12:00 (UTC)",
  ]) {
    expect(text).toContain(part);
  }
  expect(text).toContain('"type":"Action.OpenUrl","title":"Open to decide","url":"https://desk.example.com/approvals/1"');
  expect(text).not.toContain("tkn");
  expect(text).not.toMatch(/Action\.(?:Submit|Http|Execute)/u);
});

test("a card's texts are text runs, where Teams reads no markup, and hold no address", () => {
  const text = render({ items: [ITEM] });
  expect(text).not.toContain("https://evil");
  expect(text).not.toContain('"TextBlock"');
});

test("a closed request has its outcome and a link", () => {
  const text = render({ closed: [{ graphName: "Support desk", outcome: "rejected", url: "https://desk.example.com/approvals/1" }] });
  expect(text).toContain("Request in Support desk: rejected.");
  expect(text).toContain('"title":"Open"');
});
