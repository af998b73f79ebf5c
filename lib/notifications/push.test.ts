import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { NotificationItem, NotificationMessage } from "./message";
import { renderPush } from "./push";

const LINK = "https://desk.example.com/reply?do=";

const item = (changes: Partial<NotificationItem> = {}): NotificationItem => ({
  sentence: "Give cus_1005 (Jonas Okafor) a $10,000.00 credit",
  authority: "write",
  risk: "high",
  target: "customers.update_plan",
  graphName: "Support desk",
  signals: [{ code: "different_record", risk: "high", text: "Different customer: the run looked up cus_1002." }],
  expiresAt: Date.UTC(2026, 2, 2, 12),
  actions: [
    { kind: "open", url: "https://desk.example.com/approvals/1" },
    ...(["reject", "request_changes", "comment", "snooze"] as const).map((kind) => ({ kind, url: `${LINK}${kind}&token=t` })),
  ],
  done: [],
  canDecide: true,
  ...changes,
});

const contentSchema = z.strictObject({
  title: z.string(),
  body: z.string(),
  tag: z.string(),
  url: z.url(),
  actions: z.array(z.strictObject({ action: z.string(), title: z.string(), url: z.url() })),
});

const render = (changes: Partial<NotificationMessage>) =>
  contentSchema.parse(
    JSON.parse(
      renderPush({
        id: "m",
        isTest: false,
        isReminder: false,
        code: null,
        closed: [],
        mentions: [],
        workspaceName: "Acme",
        items: [],
        settingsUrl: "https://desk.example.com/settings#notifications",
        timeZone: "Europe/Berlin",
        ...changes,
      }),
    ),
  );

describe("a push notification", () => {
  test("says effect, class, target, signals and expiry, and opens the request", () => {
    const { title, body, url, tag } = render({ items: [item()] });
    expect(title).toBe("High risk: Give cus_1005 (Jonas Okafor) a $10,000.00 credit");
    expect(body.split("\n")).toEqual([
      "Write · High risk · customers.update_plan · Support desk",
      "! Different customer: the run looked up cus_1002.",
      "Expires 2 Mar 2026, 13:00 (Europe/Berlin)",
    ]);
    expect([url, tag]).toEqual(["https://desk.example.com/approvals/1", "m"]);
  });

  test("has the one-time links as buttons, the most useful first, and none that approves", () => {
    const { actions } = render({ items: [item()] });
    expect(actions).toEqual([
      { action: "reject", title: "Reject…", url: `${LINK}reject&token=t` },
      { action: "snooze", title: "Snooze…", url: `${LINK}snooze&token=t` },
      { action: "comment", title: "Comment…", url: `${LINK}comment&token=t` },
    ]);
    const approve = { kind: "approve", url: `${LINK}approve&token=t` } as never;
    expect(render({ items: [item({ actions: [approve] })] }).actions).toEqual([]);
  });

  test("of a digest lists the riskiest first and opens the inbox without buttons", () => {
    const { title, body, url, actions } = render({ items: [item({ sentence: "First", risk: "low" }), item({ sentence: "Second" })] });
    expect([title, body]).toEqual(["2 approval requests waiting in Acme, high risk", "Second\nFirst"]);
    expect([url, actions]).toEqual(["https://desk.example.com/approvals", []]);
  });

  test("of a mention quotes the comment and opens it; a test opens the settings", () => {
    const mention = { author: "Ada", graphName: "Support desk", text: "Look", url: "https://desk.example.com/runs/1" };
    expect(render({ mentions: [mention] })).toMatchObject({ body: '"Look"', url: mention.url });
    expect(render({ mentions: [{ ...mention, text: null }] }).body).toBe("");
    expect(render({ isTest: true })).toMatchObject({
      title: "Test notification from Acme",
      url: "https://desk.example.com/settings#notifications",
    });
  });

  test("stays within the 4,096 bytes of push services, without buttons if their addresses are too long", () => {
    const long = item({
      sentence: "界".repeat(400),
      signals: Array.from({ length: 9 }, () => ({ code: "different_record", risk: "high", text: "🙂".repeat(300) })),
    });
    const bytes = (items: readonly NotificationItem[]) => Buffer.byteLength(JSON.stringify(render({ items })));
    expect(bytes([long])).toBeLessThanOrEqual(3_993);
    const far = long.actions.map(({ kind, url }) => ({ kind, url: `${url}${"x".repeat(kind === "open" ? 0 : 1_200)}` }));
    expect(bytes([{ ...long, actions: far }])).toBeLessThanOrEqual(3_993);
    expect(render({ items: [{ ...long, actions: far }] }).actions).toEqual([]);
  });

  test("drops characters that hide or reorder text", () => {
    const { title } = render({ items: [item({ sentence: "Pay \u202egnp\u202c\u200b now" })] });
    expect(title).not.toMatch(/[\u202e\u202c\u200b]/u);
  });
});
