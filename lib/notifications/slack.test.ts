import { describe, expect, test } from "vitest";
import type { NotificationItem, NotificationMessage } from "./message";
import { renderSlack } from "./slack";

const item = (changes: Partial<NotificationItem> = {}): NotificationItem => ({
  sentence: "Give cus_1005 a credit",
  authority: "write",
  risk: "medium",
  target: "customers.update_plan",
  graphName: "Support desk",
  signals: [],
  expiresAt: Date.UTC(2026, 2, 2, 12),
  actions: [
    { kind: "open", url: "https://desk.example.com/approvals/1" },
    { kind: "reject", url: "https://desk.example.com/reply?do=reject&token=tkn" },
  ],
  done: [],
  canDecide: true,
  ...changes,
});

const render = (changes: Partial<NotificationMessage>): string =>
  JSON.stringify(
    renderSlack({
      id: "m",
      isTest: false,
      isReminder: false,
      code: null,
      workspaceName: "Acme",
      items: [],
      closed: [],
      mentions: [],
      settingsUrl: "https://desk.example.com/settings",
      timeZone: "UTC",
      ...changes,
    }),
  );

describe("a message in Slack", () => {
  test("that approves lists every value and asks once more; others have no such button", () => {
    const approve = { kind: "approve", url: "https://desk.example.com/approvals/1?token=apv" } as const;
    const text = render({ items: [item({ values: ['plan: "starter" → "team"'], actions: [approve] })] });
    expect(text).toContain(String.raw`plan: \"starter\" → \"team\"`);
    expect(text).toMatch(/"action_id":"approve".*"value":"apv","style":"primary","confirm":\{"title"/u);
    expect(render({ items: [item()] })).not.toContain('"action_id":"approve"');
  });

  test("says sentence, class, signals and expiry, with a field for words and a button for each action", () => {
    const text = render({ items: [item({ signals: [{ code: "different_record", risk: "high", text: "Different customer." }] })] });
    for (const part of [
      "Give cus_1005 a credit",
      "Write · Medium risk · customers.update_plan · Support desk",
      "! Different customer.",
      "Expires 2 Mar 2026, 12:00 (UTC)",
      '"value":"tkn"',
      '"action_id":"reject"',
      '"url":"https://desk.example.com/approvals/1"',
      '"plain_text_input"',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/approve/iu);
  });

  test("makes no mention, link or markup of a value", () => {
    const text = render({ items: [item({ sentence: "<!channel> *Pay* <https://evil.example|here> :white_check_mark:" })] });
    expect(text).not.toContain('"mrkdwn"');
    expect(text).not.toContain("https://evil");
    expect(text).toContain('"emoji":false');
    expect(text).toContain('"text":"Approval: &lt;!channel&gt;');
  });

  test("of requests that closed has no button but to open them", () => {
    const text = render({ closed: [{ graphName: "Support desk", outcome: "rejected", url: "https://desk.example.com/approvals/1" }] });
    expect(text).toContain("Request in Support desk: rejected.");
    expect(text).not.toMatch(/"value"|"input"/u);
  });

  test("of the most requests stays below Slack's limit of 50 blocks", () => {
    expect(
      renderSlack({
        ...JSON.parse("{}"),
        id: "m",
        isTest: false,
        isReminder: false,
        code: null,
        workspaceName: "A",
        closed: [],
        mentions: [],
        settingsUrl: "",
        timeZone: "UTC",
        items: Array.from({ length: 8 }, () => item()),
      })["blocks"],
    ).toHaveLength(40);
  });

  test("of a mention says who wrote, quotes the comment without markup, and opens it", () => {
    const mention = {
      author: "Ada",
      graphName: "Support desk",
      text: "<!channel> https://evil.example",
      url: "https://desk.example.com/runs/1",
    };
    const text = render({ mentions: [mention] });
    expect(text).toContain("Ada mentioned you in a comment on Support desk");
    expect(text).toContain('"url":"https://desk.example.com/runs/1"');
    expect(text).not.toContain("https://evil");
    expect(text).not.toContain('"mrkdwn"');
    expect(render({ mentions: [{ ...mention, text: null }] })).not.toContain("channel");
  });

  test("with a code says what it is for", () => {
    expect(render({ code: "K7QM-2F9X" })).toContain("K7QM-2F9X links this Slack account");
  });
});
