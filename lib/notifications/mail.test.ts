import { describe, expect, test } from "vitest";
import { renderMail } from "./mail";
import type { NotificationItem, NotificationMessage } from "./message";

const item = (changes: Partial<NotificationItem> = {}): NotificationItem => ({
  sentence: "Give cus_1005 (Jonas Okafor) a $10,000.00 credit",
  authority: "write",
  risk: "medium",
  target: "customers.update_plan",
  graphName: "Support desk",
  signals: [],
  expiresAt: Date.UTC(2026, 2, 2, 12),
  actions: [{ kind: "open", url: "https://desk.example.com/approvals/1" }],
  done: [],
  canDecide: true,
  ...changes,
});

const render = (items: readonly NotificationItem[], changes: Partial<NotificationMessage> = {}) =>
  renderMail({
    id: "m",
    isTest: false,
    isReminder: false,
    code: null,
    closed: [],
    mentions: [],
    workspaceName: "Acme",
    items,
    settingsUrl: "https://desk.example.com/settings#notifications",
    timeZone: "Europe/Berlin",
    ...changes,
  });

describe("an e-mail", () => {
  test("has the sentence as its subject and says class, target, signals and expiry in the reader's time zone", () => {
    const { subject, text } = render([
      item({
        risk: "high",
        signals: [{ code: "different_record", risk: "high", text: "Different customer: the run looked up cus_1002." }],
      }),
    ]);
    expect(subject).toBe("High risk: Give cus_1005 (Jonas Okafor) a $10,000.00 credit");
    expect(text).toContain("Write · High risk · customers.update_plan · Support desk");
    expect(text).toContain("! Different customer: the run looked up cus_1002.");
    expect(text).toContain("Expires 2 Mar 2026, 13:00 (Europe/Berlin)");
  });

  test("of several requests counts them and lists the riskiest first", () => {
    const { subject, text } = render([item({ sentence: "First" }), item({ sentence: "Second", risk: "high" })]);
    expect(subject).toBe("2 approval requests waiting in Acme, high risk");
    expect(text.indexOf("Second")).toBeLessThan(text.indexOf("First"));
  });

  test("that reminds says so first, beside the risk", () => {
    const subjectOf = (items: readonly NotificationItem[]) => render(items, { isReminder: true }).subject;
    expect(subjectOf([item({ sentence: "First" })])).toBe("Reminder: First");
    expect(subjectOf([item({ sentence: "First", risk: "high" })])).toBe("Reminder: High risk: First");
    expect(subjectOf([item(), item()])).toBe("Reminder: 2 approval requests waiting in Acme");
  });

  test("shows markup of a value as text", () => {
    const { html } = render([item({ sentence: `Send <img src=x onerror="alert(1)"> & 'more'` })]);
    expect(html).toContain("Send &lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;more&#39;");
  });

  test("makes no link of an address in a value, and drops characters that hide or reorder text", () => {
    const sentence = "Pay https://evil.example/login or www.evil.example or mailto:a@evil.example \u202egnp\u202c\u200b now\r\nBcc: x";
    const { subject, text, html } = render([item({ sentence })]);
    for (const rendered of [subject, text, html]) {
      expect(rendered).not.toMatch(/https:\/\/evil|www\.evil|mailto:a|[\u202e\u202c\u200b]/u);
    }
    expect(subject).not.toMatch(/[\r\n]/u);
    expect(text).toContain("https[:]//evil.example/login");
  });

  test("shortens a long sentence at a whole character", () => {
    const { subject } = render([item({ sentence: "🙂".repeat(400) })]);
    expect(subject.length).toBeLessThanOrEqual(400);
    expect(subject.isWellFormed()).toBe(true);
  });

  test("links to the settings, and explains one-time links only where it has them", () => {
    expect(render([item()]).text).toContain("https://desk.example.com/settings#notifications");
    expect(render([item()]).text).not.toContain("yours alone");
    const { text } = render([item({ actions: [{ kind: "reject", url: "https://desk.example.com/reply?do=reject&token=t" }] })]);
    expect(text).toContain("yours alone");
    expect(text).toContain("Reject…\nhttps://desk.example.com/reply?do=reject&token=t");
  });

  test("of a mention quotes the comment escaped, or says only who wrote", () => {
    const mention = {
      author: "Ada <b>",
      graphName: "Support desk",
      text: "<img src=x> https://evil.example",
      url: "https://desk.example.com/runs/1",
    };
    const { subject, text, html } = render([], { mentions: [mention] });
    expect(subject).toBe("Ada <b> mentioned you in a comment on Support desk");
    expect(text).toContain("https://desk.example.com/runs/1");
    expect(html).toContain("Ada &lt;b&gt; mentioned you");
    expect(html).not.toMatch(/<img|<b>|https:\/\/evil/u);
    const hidden = render([], { mentions: [{ ...mention, text: null }] });
    expect(hidden.text + hidden.html).not.toContain("img");
  });
});
