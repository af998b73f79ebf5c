import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { bundleInto } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { workNotifications, type NotificationDeps } from "@/server/notify/notifications";
import { movedClock, openGate, openStand, ORIGIN, resolveGate, type Stand } from "@/server/notify/testing/fixture";
import type { MailerOrder } from "@/server/notify/testing/mailer-child";
import { channelTo, chooseSetting, createStandDeps, notificationsOf, sendDueMessages } from "@/server/notify/testing/notifications";
import { storeDueReminders } from "@/server/store/approvals/reminders";
import { headerOf, openSmtp, partsOf } from "@/server/notify/testing/smtp";
import type { Role } from "@/lib/roles";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 40_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const bundle = path.join(installation.home, "build", "mailer-child.mjs");
beforeAll(() => bundleInto(installation, { "mailer-child": "./server/notify/testing/mailer-child.ts" }), 60_000);

const addMember = async (
  { admin, workspace }: Stand,
  role: Role = "reviewer",
): Promise<{ readonly id: string; readonly email: string }> => {
  const id = randomUUID();
  const email = `${role}-${id}@example.com`;
  await asAdmin(admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, email, role]);
  await asAdmin(admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

  return { id, email };
};

const opened = async () => {
  await asAdmin(urls.admin, "truncate notification, notification_setting, approval_reminder; delete from approval");
  const smtp = await openSmtp();
  onTestFinished(smtp.close);
  const stand = await openStand(urls.admin);
  const clock = movedClock();
  const deps: NotificationDeps = createStandDeps(clock, { mail: channelTo(smtp.port) });

  return { smtp, stand, clock, deps, rows: () => notificationsOf(urls.admin, stand.workspace) };
};

const HALF_DAY_MS = 12.1 * 3_600_000;

const MINUTES = (hours: number, minutes = 0) => hours * 60 + minutes;

const utcMinute = (nowMs: number, plus: number) => (Math.floor(nowMs / 60_000) + plus) % 1_440;

describe("a request", () => {
  test("is mailed to the members whose setting fits, and to no others", async () => {
    const { smtp, stand, deps } = await opened();
    const [mine, other, silent, viewer] = [
      await addMember(stand),
      await addMember(stand),
      await addMember(stand),
      await addMember(stand, "viewer"),
    ];
    await chooseSetting(urls.admin, stand.workspace, mine.id);
    await chooseSetting(urls.admin, stand.workspace, other.id, { classes: ["irreversible"] });
    await chooseSetting(urls.admin, stand.workspace, viewer.id);
    const gone = await addMember(stand);
    await chooseSetting(urls.admin, stand.workspace, gone.id);
    await asAdmin(urls.admin, "update membership set disabled_at = now() where user_id = $1", [gone.id]);
    const gate = await openGate(stand);
    await asAdmin(urls.admin, "update approval set authority = 'write' where id = $1", [gate]);
    await sendDueMessages(deps);
    // Requests without a class match every setting; the viewer can't decide it.
    expect(smtp.mails.flatMap(({ to }) => to).toSorted()).toEqual([mine.email, other.email].toSorted());
    expect(smtp.mails.flatMap(({ to }) => to)).not.toContain(silent.email);
    const [mail] = smtp.mails;
    const parts = partsOf(mail!);
    expect(parts.get("text/plain")).toContain(`Give cus_1005 a credit (${gate})`);
    expect(parts.get("text/html")).toContain(`${ORIGIN}/approvals/${gate}`);
    expect(headerOf(mail!, "auto-submitted")).toBe("auto-generated");
    expect(headerOf(mail!, "list-unsubscribe")).toBe(`<${ORIGIN}/settings#notifications>`);
  });

  test("of an unwanted class, or of a run that the member is barred from, queues nothing", async () => {
    const { stand, rows } = await opened();
    const { id } = await addMember(stand);
    await chooseSetting(urls.admin, stand.workspace, id, { classes: ["irreversible"] });
    const insert = (authority: string, barred: readonly string[]) =>
      asAdmin(
        urls.admin,
        `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at, authority, barred)
         values ($1, $2, $3, 'write', 'effect', '?', 'reviewer', $4, 'open', now(), now() + interval '1 day', $5, $6)`,
        [stand.workspace, randomUUID(), stand.run, "0".repeat(64), authority, barred],
      );
    await insert("write", []);
    await insert("irreversible", [id]);
    expect(await rows()).toEqual([]);
    await insert("irreversible", []);
    expect(await rows()).toHaveLength(1);
    await chooseSetting(urls.admin, stand.workspace, id, { about: "all" });
    await insert("irreversible", [id]);
    expect(await rows()).toHaveLength(2);
  });

  test("queued before the member stopped the channel is dropped", async () => {
    const { smtp, stand, deps, rows } = await opened();
    const { id } = await addMember(stand);
    await chooseSetting(urls.admin, stand.workspace, id);
    await openGate(stand);
    await asAdmin(urls.admin, "delete from notification_setting");
    await sendDueMessages(deps);
    expect(smtp.mails).toEqual([]);
    expect(await rows()).toMatchObject([{ status: "dropped" }]);
  });

  test("that is no longer open when its turn comes is not mailed", async () => {
    const { smtp, stand, deps, rows } = await opened();
    const { id } = await addMember(stand);
    await chooseSetting(urls.admin, stand.workspace, id);
    await resolveGate(urls.admin, await openGate(stand));
    await sendDueMessages({ ...deps, describe: () => Promise.resolve(null) });
    expect(smtp.mails).toEqual([]);
    expect(await rows()).toMatchObject([{ status: "dropped" }]);
  });
});

describe("a member who can't decide a request by the signed records", () => {
  test("is told only if they chose all requests", async () => {
    const { smtp, stand, deps, rows } = await opened();
    const [some, all] = [await addMember(stand), await addMember(stand)];
    await chooseSetting(urls.admin, stand.workspace, some.id);
    await chooseSetting(urls.admin, stand.workspace, all.id, { about: "all" });
    await openGate(stand);
    const describeAsOther: NotificationDeps["describe"] = async (...asked) => {
      const item = await deps.describe(...asked);

      return item && { ...item, canDecide: false };
    };
    await sendDueMessages({ ...deps, describe: describeAsOther });
    expect(smtp.mails.flatMap(({ to }) => to)).toEqual([all.email]);
    expect(new Map((await rows()).map(({ user_id, status }) => [user_id, status]))).toEqual(
      new Map([
        [some.id, "dropped"],
        [all.id, "delivered"],
      ]),
    );
    await storeDueReminders(Date.now() + HALF_DAY_MS);
    await sendDueMessages({ ...deps, describe: describeAsOther });
    expect(smtp.mails).toHaveLength(1);
  });
});

describe("a reminder", () => {
  test("reaches those who can decide and chose a channel, once for each time", async () => {
    const { smtp, stand, deps } = await opened();
    const [member, silent, viewer] = [await addMember(stand), await addMember(stand), await addMember(stand, "viewer")];
    await chooseSetting(urls.admin, stand.workspace, member.id);
    await chooseSetting(urls.admin, stand.workspace, viewer.id, { about: "all" });
    const gate = await openGate(stand);
    await sendDueMessages(deps);
    const before = smtp.mails.length;
    await storeDueReminders(Date.now() + HALF_DAY_MS);
    await storeDueReminders(Date.now() + HALF_DAY_MS);
    await sendDueMessages(deps);
    await storeDueReminders(Date.now() + 1.85 * HALF_DAY_MS);
    await sendDueMessages(deps);
    const reminders = smtp.mails.slice(before);
    expect(reminders.map((mail) => [mail.to, headerOf(mail, "subject")])).toEqual(
      [1, 2].map(() => [[member.email], `Reminder: Give cus_1005 a credit (${gate})`]),
    );
    expect(smtp.mails.flatMap(({ to }) => to)).not.toContain(silent.email);
  });

  test("waits for the end of quiet hours, and a later one replaces it", async () => {
    const { smtp, stand, clock, deps } = await opened();
    const { id } = await addMember(stand);
    await openGate(stand);
    const quiet = { from: utcMinute(clock.now(), -10 + 1_440), until: utcMinute(clock.now(), 30) };
    await chooseSetting(urls.admin, stand.workspace, id, { quiet });
    await storeDueReminders(Date.now() + HALF_DAY_MS);
    expect(await sendDueMessages(deps)).toBe(0);
    await storeDueReminders(Date.now() + 1.85 * HALF_DAY_MS);
    expect(await sendDueMessages(deps)).toBe(0);
    clock.moveBy(31 * 60_000);
    expect(await sendDueMessages(deps)).toBe(1);
    expect(smtp.mails).toHaveLength(1);
    expect(
      partsOf(smtp.mails[0]!)
        .get("text/plain")
        ?.match(/Give cus_1005/gu),
    ).toHaveLength(1);
  });

  test("of an unwanted class queues nothing", async () => {
    const { stand, rows } = await opened();
    const { id } = await addMember(stand);
    const gate = await openGate(stand);
    await asAdmin(urls.admin, "update approval set authority = 'write' where id = $1", [gate]);
    await chooseSetting(urls.admin, stand.workspace, id, { classes: ["irreversible"] });
    await storeDueReminders(Date.now() + HALF_DAY_MS);
    expect(await rows()).toEqual([]);
    await chooseSetting(urls.admin, stand.workspace, id, { classes: ["write"] });
    await storeDueReminders(Date.now() + 1.85 * HALF_DAY_MS);
    expect(await rows()).toHaveLength(1);
  });
});

describe("the digest", () => {
  test("holds all requests until its time and sends them as one e-mail", async () => {
    const { smtp, stand, clock, deps } = await opened();
    const { id } = await addMember(stand);
    await chooseSetting(urls.admin, stand.workspace, id, { cadence: "daily", dailyAt: utcMinute(clock.now(), 90) });
    const gates = [await openGate(stand), await openGate(stand), await openGate(stand)];
    expect(await sendDueMessages(deps)).toBe(0);
    clock.moveBy(88 * 60_000);
    expect(await sendDueMessages(deps)).toBe(0);
    clock.moveBy(3 * 60_000);
    expect(await sendDueMessages(deps)).toBe(1);
    expect(smtp.mails).toHaveLength(1);
    const body = partsOf(smtp.mails[0]!).get("text/plain") ?? "";
    expect(gates.filter((gate) => body.includes(`(${gate})`))).toEqual(gates);
  });
});

describe("quiet hours", () => {
  test("hold an immediate e-mail until they end", async () => {
    const { smtp, stand, clock, deps } = await opened();
    const { id } = await addMember(stand);
    const quiet = { from: utcMinute(clock.now(), -10 + 1_440), until: utcMinute(clock.now(), 30) };
    await chooseSetting(urls.admin, stand.workspace, id, { quiet });
    await openGate(stand);
    expect(await sendDueMessages(deps)).toBe(0);
    clock.moveBy(28 * 60_000);
    expect(await sendDueMessages(deps)).toBe(0);
    clock.moveBy(3 * 60_000);
    expect(await sendDueMessages(deps)).toBe(1);
    expect(smtp.mails).toHaveLength(1);
  });
});

describe("a failed attempt", () => {
  test("is repeated later under the same Message-ID, with the same content", async () => {
    const { smtp, stand, clock, deps, rows } = await opened();
    const { id } = await addMember(stand);
    await chooseSetting(urls.admin, stand.workspace, id);
    await openGate(stand);
    const ids: string[] = [];
    smtp.answerWith((mail) => {
      ids.push(headerOf(mail, "message-id"));

      return Object.assign(new Error("greylisted"), { responseCode: 451 });
    });
    await sendDueMessages(deps);
    expect(await rows()).toMatchObject([{ status: "pending", attempts: 1, code: 451, fault: "refused" }]);
    await openGate(stand);
    smtp.answerWith(() => null);
    clock.moveBy(60_000);
    expect(await sendDueMessages(deps)).toBe(2);
    expect(smtp.mails.map((mail) => headerOf(mail, "message-id"))[0]).toBe(ids[0]);
    expect(new Set(smtp.mails.map((mail) => headerOf(mail, "message-id"))).size).toBe(2);
  });

  test("is the last one when the server knows no such recipient", async () => {
    const { smtp, stand, deps, rows } = await opened();
    const { id } = await addMember(stand);
    await chooseSetting(urls.admin, stand.workspace, id);
    await openGate(stand);
    smtp.answerWith(() => Object.assign(new Error("no such user"), { responseCode: 550 }));
    await sendDueMessages(deps);
    expect(await rows()).toMatchObject([{ status: "failed", code: 550, fault: "refused" }]);
  });
});

describe("several runners", () => {
  test("send each request once", async () => {
    const { smtp, stand, deps, rows } = await opened();
    const members = await Promise.all(Array.from({ length: 4 }, () => addMember(stand)));
    for (const { id } of members) await chooseSetting(urls.admin, stand.workspace, id);
    const controller = new AbortController();
    const working = [1, 2, 3].map(() => workNotifications(deps, controller.signal));
    const gates: string[] = [];
    for (let gate = 0; gate < 6; gate += 1) gates.push(await openGate(stand));
    await vi.waitFor(async () => expect((await rows()).filter(({ status }) => status === "delivered")).toHaveLength(24), {
      timeout: 30_000,
    });
    controller.abort();
    await Promise.all(working);
    for (const { email } of members) {
      const texts = smtp.mails.filter(({ to }) => to.includes(email)).map((mail) => partsOf(mail).get("text/plain") ?? "");
      for (const gate of gates) expect(texts.filter((body) => body.includes(`(${gate})`))).toHaveLength(1);
    }
  });

  test("survive one killed with -9 while sending: another one sends it under the same Message-ID", async () => {
    const { smtp, stand, clock, deps, rows } = await opened();
    const { id } = await addMember(stand);
    await chooseSetting(urls.admin, stand.workspace, id);
    await openGate(stand);
    const child = spawn(process.execPath, [bundle], { stdio: ["pipe", "ignore", "inherit"], cwd: installation.root });
    const order: MailerOrder = { url: urls.runner, port: smtp.port };
    const ids: string[] = [];
    smtp.answerWith((mail) => {
      ids.push(headerOf(mail, "message-id"));
      child.kill("SIGKILL");

      return null;
    });
    child.stdin.end(JSON.stringify(order));
    expect((await once(child, "exit"))[1]).toBe("SIGKILL");
    expect(await rows()).toMatchObject([{ status: "pending", attempts: 1 }]);
    smtp.answerWith(() => null);
    expect(await sendDueMessages(deps)).toBe(0);
    clock.moveBy(31_000);
    expect(await sendDueMessages(deps)).toBe(1);
    expect(headerOf(smtp.mails.at(-1)!, "message-id")).toBe(ids[0]);
    expect(await rows()).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });
});

test("a test is mailed at once, in quiet hours too, and its outcome is final", async () => {
  const { smtp, stand, deps, rows } = await opened();
  const { id } = await addMember(stand);
  await chooseSetting(urls.admin, stand.workspace, id, { cadence: "daily", quiet: { from: MINUTES(0), until: MINUTES(23, 59) } });
  const queueTest = () =>
    asAdmin(
      urls.admin,
      "insert into notification (workspace_id, id, user_id, channel, type, subject) values ($1, $2, $3, 'mail', 'test', $2)",
      [stand.workspace, randomUUID(), id],
    );
  await queueTest();
  await sendDueMessages(deps);
  expect(headerOf(smtp.mails[0]!, "subject")).toBe("Test notification from Webhooks");
  smtp.answerWith(() => Object.assign(new Error("later"), { responseCode: 451 }));
  await queueTest();
  await sendDueMessages(deps);
  expect((await rows()).map(({ status, code }) => [status, code])).toEqual([
    ["delivered", 250],
    ["failed", 451],
  ]);
});
