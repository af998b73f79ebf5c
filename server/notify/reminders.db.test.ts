import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { DEFAULT_REMINDERS } from "@/lib/webhooks/reminders";
import { webhookPayloadSchema } from "@/lib/webhooks/payload";
import { withClient } from "@/server/db/connect";
import { asAdmin } from "@/server/mcp/testing/registered";
import { addEndpoint, deliveriesOf, movedClock, notifyDeps, ORIGIN, sendDue } from "@/server/notify/testing/fixture";
import { openReceiver } from "@/server/notify/testing/receiver";
import { workWebhooks } from "@/server/notify/worker";
import { createVault } from "@/server/security/vault";
import { storeDueReminders } from "@/server/store/approvals/reminders";
import { NOW, openWaiting } from "@/server/store/approvals/testing/waiting";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 40_000 });

const HOUR = 3_600_000;
const urls = await testDatabase("runner");
const vault = createVault("ab".repeat(32));

let desk: Awaited<ReturnType<typeof openWaiting>>;
let ada: string;
let ben: string;

const setAside = (approval: string, user: string) =>
  asAdmin(
    urls.admin,
    `insert into approval_aside (workspace_id, approval_id, user_id, kind, until, created_at)
     values ($1, $2, $3, 'snoozed', to_timestamp($4 / 1000.0), to_timestamp($5 / 1000.0))`,
    [desk.workspace, approval, user, NOW + 100 * HOUR, NOW],
  );
const setTimes = (percents: readonly number[]) =>
  asAdmin(urls.admin, "insert into reminder_setting (workspace_id, percents, changed_by, changed_at) values ($1, $2, $1, now())", [
    desk.workspace,
    percents,
  ]);
const due = async (nowMs: number) => (await storeDueReminders(nowMs)).map(({ approvalId, percent }) => [approvalId, percent]);

beforeEach(async () => {
  await asAdmin(urls.admin, "truncate approval, approval_reminder, approval_aside, reminder_setting, webhook_endpoint, webhook_delivery");
  desk = await openWaiting(urls.admin);
  [ada, ben] = [await desk.join("reviewer"), await desk.join("reviewer")];
});

const ask = (barred: readonly string[] = []) => desk.ask({ openedMs: NOW, expiresMs: NOW + 10 * HOUR, barred });

describe("a waiting request", () => {
  test("reminds at half and at nine tenths of its time, once each, and not after it expired", async () => {
    expect(DEFAULT_REMINDERS).toEqual([50, 90]);
    const one = await ask();
    expect(await due(NOW + 5 * HOUR - 1)).toEqual([]);
    expect(await due(NOW + 5 * HOUR)).toEqual([[one, 50]]);
    expect(await due(NOW + 5 * HOUR)).toEqual([]);
    expect(await due(NOW + 9 * HOUR - 1)).toEqual([]);
    expect(await due(NOW + 9 * HOUR)).toEqual([[one, 90]]);
    expect(await due(NOW + 9 * HOUR)).toEqual([]);
    const two = await ask();
    expect(await due(NOW + 10 * HOUR)).toEqual([]);
    await asAdmin(urls.admin, "update approval set status = 'approved', resolved_at = now() where id = $1", [two]);
    expect(await due(NOW + 9 * HOUR)).toEqual([]);
  });

  test("reminds once after runners were down, at the latest time that passed", async () => {
    const one = await ask();
    expect(await due(NOW + 9.5 * HOUR)).toEqual([[one, 90]]);
    expect(await due(NOW + 9.6 * HOUR)).toEqual([]);
  });

  test("reminds at the times of its workspace, or never", async () => {
    await setTimes([20]);
    const one = await ask();
    expect(await due(NOW + 2 * HOUR)).toEqual([[one, 20]]);
    expect(await due(NOW + 9 * HOUR)).toEqual([]);
    await asAdmin(urls.admin, "update reminder_setting set percents = '{}'");
    await ask();
    expect(await due(NOW + 9 * HOUR)).toEqual([]);
  });

  test("is for those who can decide and have not set it aside, unless they are all that remain", async () => {
    await desk.join("builder");
    const recipients = async (nowMs: number) => (await storeDueReminders(nowMs))[0]?.recipients.toSorted();
    const one = await ask();
    expect(await recipients(NOW + 5 * HOUR)).toEqual([ada, ben].toSorted());
    await setAside(one, ada);
    expect(await recipients(NOW + 9 * HOUR)).toEqual([ben]);
    const two = await ask();
    await setAside(two, ada);
    await setAside(two, ben);
    expect(await recipients(NOW + 5 * HOUR)).toEqual([ada, ben].toSorted());
    await ask([ada]);
    expect(await recipients(NOW + 5 * HOUR)).toEqual([ben]);
  });
});

describe("runners that sweep at once", () => {
  test("store one reminder", async () => {
    for (let asked = 0; asked < 20; asked += 1) await ask();
    // All look for due reminders before the first may queue one.
    const swept = await withClient(urls.admin, async (client) => {
      await client.query("begin");
      await client.query("lock table webhook_delivery");
      const sweeping = Promise.all([1, 2, 3, 4].map(() => due(NOW + 5 * HOUR)));
      await vi.waitFor(
        async () => {
          const waiting = await queryOn<{ n: number }>(
            urls.admin,
            "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          expect(waiting[0]?.n).toBe(4);
        },
        { timeout: 10_000 },
      );
      await client.query("commit");

      return sweeping;
    });
    expect(swept.flat()).toHaveLength(20);
    expect(new Set(swept.flat().map(([id]) => id)).size).toBe(20);
  });

  test("store and queue it together or not at all", async () => {
    const { id } = await addEndpoint(urls.admin, desk.workspace, vault, { url: "http://127.0.0.1:9/", types: ["approval.reminder"] });
    const one = await ask();
    await asAdmin(
      urls.admin,
      `create function cut() returns trigger language plpgsql as $$ begin raise 'cut'; end $$;
       create trigger cut before insert on webhook_delivery for each row execute function cut()`,
    );
    try {
      await expect(due(NOW + 5 * HOUR)).rejects.toThrow("cut");
    } finally {
      await asAdmin(urls.admin, "drop function cut cascade");
    }
    expect(await due(NOW + 5 * HOUR)).toEqual([[one, 50]]);
    expect(await deliveriesOf(urls.admin, id)).toMatchObject([{ type: "approval.reminder", status: "pending" }]);
  });
});

describe("a reminder", () => {
  test("arrives as a webhook with the people it is for, and without values", async () => {
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    const { id } = await addEndpoint(urls.admin, desk.workspace, vault, { url: receiver.url, types: ["approval.reminder"] });
    const other = await addEndpoint(urls.admin, desk.workspace, vault, { url: receiver.url, types: ["run.ended"] });
    const one = await ask();
    await storeDueReminders(NOW + 5 * HOUR);
    expect(await sendDue(notifyDeps(vault, movedClock(), [receiver.origin]))).toBe(1);
    const payload = webhookPayloadSchema.parse(JSON.parse(receiver.received[0]?.body ?? ""));
    expect(payload).toMatchObject({
      type: "approval.reminder",
      data: { approval_id: one, percent: 50, link: `${ORIGIN}/approvals/${one}?workspace=${desk.workspace}`, role: "reviewer" },
    });
    expect(payload.type === "approval.reminder" && payload.data.people.toSorted()).toEqual([ada, ben].toSorted());
    expect(receiver.received[0]?.body).not.toContain("Shall it");
    expect(await deliveriesOf(urls.admin, id)).toMatchObject([{ status: "delivered" }]);
    expect(await deliveriesOf(urls.admin, other.id)).toEqual([]);
  });

  test("is dropped if the request was decided before it was sent", async () => {
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    await addEndpoint(urls.admin, desk.workspace, vault, { url: receiver.url, types: ["approval.reminder"] });
    const one = await ask();
    await storeDueReminders(NOW + 5 * HOUR);
    await asAdmin(urls.admin, "update approval set status = 'approved', resolved_at = now() where id = $1", [one]);
    await sendDue(notifyDeps(vault, movedClock(), [receiver.origin]));
    expect(receiver.received).toEqual([]);
  });

  test("is sent by the worker without a request", async () => {
    const receiver = await openReceiver();
    onTestFinished(receiver.close);
    const { id } = await addEndpoint(urls.admin, desk.workspace, vault, { url: receiver.url, types: ["approval.reminder"] });
    await desk.ask({ openedMs: Date.now() - 6 * HOUR, expiresMs: Date.now() + 4 * HOUR });
    const controller = new AbortController();
    const deps = notifyDeps(vault, movedClock(), [receiver.origin]);
    const working = [1, 2].map(() => workWebhooks(deps, controller.signal));
    await vi.waitFor(async () => expect(await deliveriesOf(urls.admin, id)).toMatchObject([{ status: "delivered" }]), { timeout: 20_000 });
    controller.abort();
    await Promise.all(working);
    expect(receiver.received).toHaveLength(1);
  });
});
