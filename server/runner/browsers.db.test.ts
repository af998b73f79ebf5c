import { generateKeyPairSync, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { computeBrowserId, getBrowserSubject, type Subscription } from "@/lib/notifications/browser";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { createPushChannel } from "@/server/notify/push/channel";
import { loadPushKeyFromPem } from "@/server/notify/push/key";
import { sendBy } from "@/server/notify/send";
import { movedClock } from "@/server/notify/testing/fixture";
import { sendDueMessages } from "@/server/notify/testing/notifications";
import { createSubscriber, openPush, type PushStand } from "@/server/notify/testing/push";
import { forgetBrowser, listConfirmedBrowsers } from "@/server/runner/browsers";
import { createNotificationDeps } from "@/server/runner/notification-deps";
import { openDesk, query, type Desk } from "@/server/runner/testing/desk";
import { sendOwn } from "@/server/runner/testing/passkeys";
import { createEgress } from "@/server/security/egress";
import { testDatabase } from "@/server/testing/database";

const key = loadPushKeyFromPem(
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
);

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let stand: PushStand;
beforeAll(async () => {
  stand = await openPush();
  vi.stubEnv("COUNTERSIGN_WEBHOOK_ORIGINS", stand.origin);
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await desk.mcp.close();
  await stand.close();
});

const add = async (subscription: Subscription, user = desk.people.reviewer): Promise<string | null> =>
  (await sendOwn(desk, { kind: "browser_add", name: "Firefox on Linux", ...subscription }, user)).refusal?.code ?? null;

const remove = async (id: string, user = desk.people.reviewer): Promise<string | null> =>
  (await sendOwn(desk, { kind: "browser_remove", id }, user)).refusal?.code ?? null;

const namesOf = async (user = desk.people.reviewer): Promise<readonly string[]> =>
  (await listConfirmedBrowsers(desk.deps, { workspaceId: desk.workspace, userId: user })).map(({ endpoint }) => endpoint);

/** @returns the paths that got a test */
const sendTest = async (): Promise<readonly string[]> => {
  const before = stand.pushed.length;
  const { workspace: workspaceId, deps, people } = desk;
  await asAdmin(
    urls.admin,
    "insert into notification (workspace_id, id, user_id, channel, type, subject) values ($1, $2, $3, 'push', 'test', $2)",
    [workspaceId, randomUUID(), people.reviewer],
  );
  const clock = movedClock();
  const channel = createPushChannel(
    {
      key,
      contact: "https://approvals.example.com",
      clock,
      listBrowsers: (recipient) => listConfirmedBrowsers(deps, recipient),
      forget: (recipient, browser) => forgetBrowser(deps, recipient, browser),
    },
    sendBy(createEgress({ policy: { allowOrigins: [stand.origin] } })),
  );
  const policy = { origin: "https://approvals.example.com", most: "internal" } as const;
  await sendDueMessages(createNotificationDeps({ ...deps, clock }, { push: channel }, policy));

  return stand.pushed.slice(before).map(({ path }) => path);
};

describe("a browser of a member", () => {
  it("is added and removed on record by its owner alone", async () => {
    const subscription = stand.subscribe("a", key.publicKey);
    const id = computeBrowserId(subscription.endpoint);
    expect(await add(subscription)).toBeNull();
    const subject = getBrowserSubject(desk.people.reviewer, id);
    expect(digestInForce(await desk.deps.authority.read(desk.workspace), "accounts", subject)).not.toBeNull();
    expect(await sendTest()).toEqual(["/a"]);
    expect(await remove(id, desk.people.second)).toBe("step_refused");
    expect(await namesOf()).toEqual([subscription.endpoint]);
    expect(await remove(id)).toBeNull();
    expect(await remove(id)).toBe("step_refused");
    expect(await namesOf()).toEqual([]);
    expect(await sendTest()).toEqual([]);
  });

  it("is refused at an address inside this network, or with a key that is no point", async () => {
    for (const endpoint of ["https://127.0.0.1/x", "https://169.254.169.254/latest", "http://push.example.com/x", "https://intranet/x"]) {
      expect(await add(createSubscriber(endpoint).subscription)).toBe("step_refused");
    }
    const { subscription } = createSubscriber("https://push.example.com/x");
    expect(await add({ ...subscription, p256dh: `B${"a".repeat(86)}` })).toBe("step_refused");
  });

  it("gets nothing while its row differs from the records, and the others still do", async () => {
    const [own, other, attacker] = [
      stand.subscribe("b", key.publicKey),
      stand.subscribe("c", key.publicKey),
      stand.subscribe("attacker", key.publicKey),
    ];
    for (const subscription of [own, other]) expect(await add(subscription)).toBeNull();
    const replace = (from: Subscription, to: Subscription) =>
      asAdmin(urls.admin, "update push_browser set endpoint = $1, p256dh = $2, auth = $3 where endpoint = $4", [
        to.endpoint,
        to.p256dh,
        to.auth,
        from.endpoint,
      ]);
    await replace(own, attacker);
    expect(await sendTest()).toEqual(["/c"]);
    await replace(attacker, own);
    await asAdmin(
      urls.admin,
      "insert into push_browser (workspace_id, user_id, id, name, endpoint, p256dh, auth) values ($1, $2, $3, 'Chrome', $4, $5, $6)",
      [desk.workspace, desk.people.reviewer, computeBrowserId(attacker.endpoint), attacker.endpoint, attacker.p256dh, attacker.auth],
    );
    expect((await sendTest()).toSorted()).toEqual(["/b", "/c"]);
    await asAdmin(urls.admin, "delete from push_browser where endpoint = $1", [attacker.endpoint]);
  });

  it("is removed on record once its push service says that it is gone", async () => {
    stand.failWith("b", 410);
    expect(await sendTest()).toEqual(["/c"]);
    expect(await namesOf()).toEqual([`${stand.origin}/c`]);
    const subject = getBrowserSubject(desk.people.reviewer, computeBrowserId(`${stand.origin}/b`));
    expect(digestInForce(await desk.deps.authority.read(desk.workspace), "accounts", subject)).toBeNull();
    const [row] = await query<{ body: string }>(urls.admin, "select body from ledger_record order by seq desc limit 1");
    expect(row?.body).toMatch(/"browser_gone".*"type":"engine"/u);
  });

  it("shows the web process neither its address nor its keys", async () => {
    await expect(query(urls.web, "select endpoint from push_browser")).rejects.toThrow(/permission denied/u);
    await expect(query(urls.web, "select auth from push_browser")).rejects.toThrow(/permission denied/u);
    await expect(query(urls.web, "delete from push_browser")).rejects.toThrow(/permission denied/u);
    expect(await query(urls.web, "select id, name from push_browser")).toEqual([]);
  });
});
