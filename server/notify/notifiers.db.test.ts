import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { withClient } from "@/server/db/connect";
import { bundleInto } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import type { NotifierOrder } from "@/server/notify/testing/notifier-child";
import { answer, openReceiver } from "@/server/notify/testing/receiver";
import { addEndpoint, deliveriesOf, movedClock, notifyDeps, openGate, openStand, sendDue } from "@/server/notify/testing/fixture";
import { workWebhooks } from "@/server/notify/worker";
import { claimDeliveries } from "@/server/store/webhooks/outbox";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 40_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
const bundle = path.join(installation.home, "build", "notifier-child.mjs");

beforeAll(() => bundleInto(installation, { "notifier-child": "./server/notify/testing/notifier-child.ts" }), 60_000);

const opened = async () => {
  await asAdmin(urls.admin, "truncate webhook_endpoint, webhook_delivery");
  const receiver = await openReceiver();
  onTestFinished(receiver.close);
  const stand = await openStand(urls.admin);
  const clock = movedClock();
  const { id } = await addEndpoint(urls.admin, stand.workspace, stand.vault, { url: receiver.url });

  return { receiver, stand, clock, id, deps: notifyDeps(stand.vault, clock, [receiver.origin]) };
};

describe("several notifiers", () => {
  test("send each notification once", async () => {
    const { receiver, stand, id, deps } = await opened();
    for (let gate = 0; gate < 12; gate += 1) await openGate(stand);
    const controller = new AbortController();
    const working = [1, 2, 3].map(() => workWebhooks(deps, controller.signal));
    await vi.waitFor(async () => expect((await deliveriesOf(urls.admin, id)).every(({ status }) => status === "delivered")).toBe(true), {
      timeout: 30_000,
    });
    controller.abort();
    await Promise.all(working);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(12);
    expect(new Set(ids).size).toBe(12);
  });

  test("claim one row once", async () => {
    const { stand, clock } = await opened();
    await openGate(stand);
    const now = clock.now();
    const claim = () => claimDeliveries({ now, until: now + 30_000, busyEndpoints: [], limit: 8 });
    // All found the row before the first may change it.
    const claims = await withClient(urls.admin, async (client) => {
      await client.query("begin");
      await client.query("select from webhook_delivery for update");
      const asked = Promise.all([claim(), claim(), claim()]);
      await vi.waitFor(
        async () => {
          const waiting = await queryOn<{ n: number }>(
            urls.admin,
            "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          expect(waiting[0]?.n).toBe(3);
        },
        { timeout: 10_000 },
      );
      await client.query("commit");

      return asked;
    });
    expect(claims.flat()).toHaveLength(1);
  });

  test("take over a dead one's claims once they expire, not before", async () => {
    const { stand, clock, id, deps } = await opened();
    await openGate(stand);
    const now = clock.now();
    expect(await claimDeliveries({ now, until: now + 30_000, busyEndpoints: [], limit: 8 })).toHaveLength(1);
    expect(await sendDue(deps)).toBe(0);
    clock.moveBy(30_001);
    expect(await sendDue(deps)).toBe(1);
    expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "delivered", attempts: 2 });
  });
});

test("a notifier killed with -9 while sending loses nothing: another one resends under the same id", async () => {
  const { receiver, stand, clock, id, deps } = await opened();
  await openGate(stand);
  const child = spawn(process.execPath, [bundle], { stdio: ["pipe", "ignore", "inherit"], cwd: installation.root });
  const order: NotifierOrder = { url: urls.runner, vaultKey: stand.vaultKey, allowOrigins: [receiver.origin] };
  receiver.answerWith(() => void child.kill("SIGKILL"));
  child.stdin.end(JSON.stringify(order));
  expect((await once(child, "exit"))[1]).toBe("SIGKILL");
  expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "pending", attempts: 1, code: null, fault: null });

  receiver.answerWith(answer(204));
  expect(await sendDue(deps)).toBe(0);
  clock.moveBy(30_000);
  expect(await sendDue(deps)).toBe(1);
  expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "delivered", attempts: 2 });
  const [first, second] = receiver.received;
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(second?.body).toBe(first?.body);
});
