import { expect, type Browser, type Page } from "@playwright/test";
import { openPush } from "../server/notify/testing/push.ts";
import { openSmtp, partsOf, type SmtpStand } from "../server/notify/testing/smtp.ts";
import { expectAccessible } from "./axe.ts";
import { startRun, status } from "./desk.ts";
import { receiverPort } from "./home.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";
import { query } from "./wire.ts";

// One SMTP address.
test.describe.configure({ mode: "serial", timeout: 240_000 });

let smtp: SmtpStand;
test.beforeAll(async () => {
  smtp = await openSmtp({}, receiverPort());
});
test.afterAll(() => smtp.close());

const textOf = (index: number): string => {
  const mail = smtp.mails[index];
  if (!mail) throw new Error("no e-mail arrived");

  return partsOf(mail).get("text/plain") ?? "";
};

const linkIn = (text: string, kind: "reject" | "comment"): string => {
  const link = new RegExp(`https?://\\S+/reply\\?do=${kind}\\S+`, "u").exec(text.replaceAll("\r\n", "\n"))?.[0];
  if (link === undefined) throw new Error(`no link to ${kind} in ${text}`);

  return link;
};

const outside = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();

test("a member chooses e-mail in the settings, and a test shows what really came of it", async ({ page }) => {
  await signInAs(page, "reviewer");
  await page.goto("/settings#notifications");
  const section = page.getByRole("region", { name: "E-mail notifications" });
  await section.getByLabel("Send me").click();
  await page.getByRole("option", { name: "Requests I can decide" }).click();
  await section.getByRole("checkbox", { name: /^Quiet hours/u }).click();
  await section.getByLabel("Until", { exact: true }).fill(await section.getByLabel("From", { exact: true }).inputValue());
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.getByText("Choose a different time.")).toBeVisible();
  await section.getByRole("checkbox", { name: /^Quiet hours/u }).click();
  await section.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Notifications saved")).toBeVisible();
  await section.getByRole("button", { name: "Send a test" }).click();
  await expect(section.getByRole("cell", { name: "250: accepted by the server" })).toBeVisible();
  expect(smtp.mails).toHaveLength(1);
  smtp.answerWith(() => Object.assign(new Error("no such user"), { responseCode: 550 }));
  await section.getByRole("button", { name: "Send a test" }).click();
  await expect(section.getByRole("cell", { name: "550: The server refused the message." })).toBeVisible();
  smtp.answerWith(() => null);
  await expectAccessible(page, "the settings");
});

test("a request arrives by e-mail; opening its link changes nothing, and a click rejects it once", async ({ page, browser }) => {
  await signInAs(page, "builder");
  const before = smtp.mails.length;
  const run = await startRun(page, /^Scripted: honest/u);
  await expect.poll(() => smtp.mails.length, { timeout: 30_000 }).toBe(before + 1);
  const text = textOf(before);
  expect(text).toContain("Write · Medium risk · customers.update_plan");
  const link = linkIn(text, "reject");

  await test.step("scanners, previews and prefetches change nothing", async () => {
    const visitor = await outside(browser);
    for (const headers of [{}, { purpose: "prefetch", "sec-purpose": "prefetch;prerender" }, { "user-agent": "SafeLinks" }]) {
      expect((await visitor.request.get(link, { headers })).ok()).toBe(true);
      expect((await visitor.request.head(link, { headers })).ok()).toBe(true);
      await visitor.request.post(link, { headers, failOnStatusCode: false });
    }
    await visitor.goto(link);
    await expect(visitor.getByRole("heading", { name: "Reject this request" })).toBeVisible();
    await expect(visitor.getByRole("navigation")).toHaveCount(0);
    await visitor.reload();
    await expect(status(page)).toContainText("Waiting");
    await visitor.close();
  });

  await test.step("a comment by its link is on record as from e-mail", async () => {
    const visitor = await outside(browser);
    await visitor.goto(linkIn(text, "comment"));
    await visitor.getByLabel("Comment").fill("Finance is asked.");
    await visitor.getByRole("button", { name: "Comment" }).click();
    await expect(visitor.getByRole("alert").filter({ hasText: "Your comment is on record" })).toBeVisible();
    await visitor.close();
    await page.goto(run);
    await expect(page.getByText("From e-mail").first()).toBeVisible();
  });

  await test.step("without signing in, its person rejects it with a reason", async () => {
    const visitor = await outside(browser);
    await visitor.goto(link);
    await expect(visitor.getByText("Update plan: 4 hidden")).toBeVisible();
    await visitor.getByRole("button", { name: "Reject" }).click();
    await expect(visitor.getByText("Required.")).toBeVisible();
    await visitor.getByRole("textbox", { name: "Reason" }).fill("Ask finance first.");
    await expectAccessible(visitor, "the reply");
    await visitor.getByRole("button", { name: "Reject" }).click();
    await expect(visitor.getByRole("alert").filter({ hasText: "You rejected this request" })).toBeVisible();
    await visitor.goto(link);
    await expect(visitor.getByText("This request is closed")).toBeVisible();
    await expect(visitor.getByRole("button", { name: "Reject" })).toHaveCount(0);
    await visitor.getByRole("link", { name: "Open the request" }).click();
    await expect(visitor).toHaveURL(/\/sign-in\?to=%2Fapprovals%2F/u);
    await visitor.close();
    await page.goto(run);
    await expect(page.getByText("From e-mail")).toHaveCount(2);
  });
});

test("a link with one changed character, or none, shows and does nothing", async ({ page, browser }) => {
  const visitor = await outside(browser);
  const link = linkIn(textOf(smtp.mails.length - 1), "comment");
  for (const broken of [link.slice(0, -1) + (link.endsWith("A") ? "B" : "A"), new URL("/reply", link).href]) {
    await visitor.goto(broken);
    await expect(visitor.getByRole("heading", { name: "This link doesn't work" })).toBeVisible();
    await expect(visitor.getByRole("button", { name: /Reject|Comment/u })).toHaveCount(0);
    await expect(visitor.getByRole("navigation")).toHaveCount(0);
    expect(await visitor.content()).not.toContain("Update plan");
  }
  await visitor.goto(new URL("/reply/approvals", link).href);
  await expect(visitor).toHaveURL(/\/sign-in/u);
  await visitor.close();
  await signInAs(page, "reviewer");
  await page.goto("/reply");
  await page.getByRole("link", { name: "Open approvals" }).click();
  await expect(page.getByRole("navigation").first()).toBeVisible();
});

test("a browser gets web push after a click, encrypted for it alone, until it is turned off", async ({ page }) => {
  await smtp.close();
  const push = await openPush(receiverPort());
  await page.context().grantPermissions(["notifications"]);
  await signInAs(page, "reviewer");
  await page.goto("/settings#push");
  const section = page.getByRole("region", { name: "Web push notifications" });
  const key = await query<{ key: string }>(page, "notifications.browsers", undefined);
  const { endpoint, p256dh, auth } = push.subscribe("browser", key.key);
  // Tests have no push service of a vendor: this browser subscribes at the local one.
  await page.evaluate(
    ({ subscription }) => {
      let current: object | null = null;
      const own = {
        endpoint: subscription.endpoint,
        toJSON: () => subscription,
        unsubscribe: () => {
          current = null;

          return Promise.resolve(true);
        },
      };
      Object.assign(PushManager.prototype, {
        subscribe: () => Promise.resolve((current = own)),
        getSubscription: () => Promise.resolve(current),
      });
    },
    { subscription: { endpoint, keys: { p256dh, auth } } },
  );
  await section.getByRole("button", { name: "Turn on in this browser" }).click();
  await expect(section.getByRole("cell", { name: /This browser/u })).toBeVisible();
  await expect(section.getByLabel("Send me")).toHaveText("Requests I can decide");
  await section.getByRole("button", { name: "Send a test" }).click();
  await expect.poll(() => push.pushed.map(({ text }) => text).join()).toContain("Notifications reach you in this browser.");
  await expect(section.getByRole("cell", { name: "201: accepted by the server" })).toBeVisible();
  await expectAccessible(page);

  // A headless browser shows no notifications.
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(() => {
    ServiceWorkerRegistration.prototype.showNotification = (title, options) =>
      caches.open("shown").then((cache) => cache.put("/shown", new Response(`${title}: ${options?.body}`)));
  });
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [found] = registrations;
      if (found) resolve(found.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: push.pushed[0]?.text ?? "",
  });
  const shown = () => page.evaluate(async () => (await caches.match("/shown"))?.text());
  await expect.poll(shown).toMatch(/^Test notification from .*: Notifications reach you in this browser\.$/u);

  await section.getByRole("button", { name: /^Turn off/u }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect(section.getByRole("button", { name: "Turn on in this browser" })).toBeVisible();
  await push.close();
  smtp = await openSmtp({}, receiverPort());
});
