import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { NotificationItem, NotificationMessage } from "@/lib/notifications/message";
import { sendBy } from "@/server/notify/send";
import { openPush, type PushStand } from "@/server/notify/testing/push";
import { createEgress } from "@/server/security/egress";
import { createPushChannel, type StoredBrowser } from "./channel";
import { loadPushKeyFromPem, type PushKey } from "./key";

const newKey = () =>
  loadPushKeyFromPem(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString());

const NOW = Date.now();
const RECIPIENT = { workspaceId: "w", userId: "u", address: "" };

const item: NotificationItem = {
  sentence: "Give cus_1005 a credit",
  authority: "write",
  risk: "high",
  target: "customers.update_plan",
  graphName: "Support desk",
  signals: [],
  expiresAt: NOW + 600_000,
  actions: [{ kind: "open", url: "https://desk.example.com/approvals/1" }],
  done: [],
  canDecide: true,
};

const message = (changes: Partial<NotificationMessage> = {}): NotificationMessage => ({
  id: "0b8f5f4e-3f0f-4c1e-9b1e-2f6a3d1c7e55",
  isTest: false,
  isReminder: false,
  code: null,
  workspaceName: "Acme",
  items: [item],
  closed: [],
  mentions: [],
  settingsUrl: "https://desk.example.com/settings#notifications",
  timeZone: "UTC",
  ...changes,
});

let stand: PushStand;
beforeAll(async () => {
  stand = await openPush();
});
afterAll(() => stand.close());

type Options = { readonly allowed?: readonly string[]; readonly key?: PushKey; readonly other?: PushKey };

const open = (names: readonly string[], { allowed = [stand.origin], key = newKey(), other = key }: Options = {}) => {
  const forgotten: string[] = [];
  const browsers = names.map((name): StoredBrowser => ({ id: name, name, ...stand.subscribe(name, other.publicKey) }));
  const channel = createPushChannel(
    {
      key,
      contact: "https://desk.example.com",
      clock: { now: () => NOW },
      listBrowsers: () => Promise.resolve(browsers),
      forget: (_recipient, { id }) => Promise.resolve(void forgotten.push(id)),
    },
    sendBy(createEgress({ policy: { allowOrigins: allowed, requireHttps: true } })),
  );

  return { forgotten, deliver: (sent = message()) => channel.deliver(sent, RECIPIENT, null) };
};

const titleOf = (text: string | undefined): string => z.object({ title: z.string() }).parse(JSON.parse(text ?? "{}")).title;

describe("web push", () => {
  test("reaches every browser encrypted, by the key that it subscribed with, until the request expires", async () => {
    const before = stand.pushed.length;
    expect(await open(["one", "two"]).deliver()).toMatchObject({ ok: true, code: 201 });
    const sent = stand.pushed.slice(before);
    expect(sent.map(({ path }) => path).toSorted()).toEqual(["/one", "/two"]);
    expect(sent.map(({ text }) => titleOf(text))).toEqual(Array(2).fill("High risk: Give cus_1005 a credit"));
    expect(sent[0]?.subject).toBe("https://desk.example.com");
    expect(sent[0]?.headers).toMatchObject({ ttl: "600", urgency: "high", topic: "0b8f5f4e3f0f4c1e9b1e2f6a3d1c7e55" });
  });

  test("is refused by a push service for another installation's key, for good", async () => {
    expect(await open(["foreign"], { other: newKey() }).deliver()).toEqual({
      ok: false,
      code: 403,
      fault: "refused",
      isFinal: true,
    });
  });

  test.each([404, 410])("forgets a browser that the push service answers %i for, and only that one", async (status) => {
    const { forgotten, deliver } = open(["gone", "kept"]);
    stand.failWith("gone", status);
    expect(await deliver()).toMatchObject({ ok: true, code: 201 });
    expect(forgotten).toEqual(["gone"]);
    const alone = open(["gone"]);
    stand.failWith("gone", status);
    expect(await alone.deliver()).toMatchObject({ ok: false, code: status, isFinal: true });
  });

  test.each([429, 500, 503])("tries again after %i and forgets nothing", async (status) => {
    const { forgotten, deliver } = open(["busy"]);
    stand.failWith("busy", status);
    expect(await deliver()).toMatchObject({ ok: false, code: status, isFinal: false });
    expect(forgotten).toEqual([]);
  });

  test("goes to no address that the egress guard blocks", async () => {
    const before = stand.pushed.length;
    expect(await open(["inside"], { allowed: [] }).deliver()).toEqual({ ok: false, code: null, fault: "blocked", isFinal: true });
    expect(stand.pushed).toHaveLength(before);
  });

  test("fails without a browser", async () => {
    expect(await open([]).deliver()).toMatchObject({ ok: false, isFinal: true });
  });
});
