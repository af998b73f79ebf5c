import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { waitAfterMs } from "@/lib/webhooks/schedule";
import { webhookPayloadSchema } from "@/lib/webhooks/payload";
import { asAdmin } from "@/server/mcp/testing/registered";
import { resealWebhookSecrets } from "@/server/notify/reseal";
import { answer, openReceiver, checkVerification, type Receiver } from "@/server/notify/testing/receiver";
import {
  addEndpoint,
  deliveriesOf,
  movedClock,
  notifyDeps,
  openGate,
  openStand,
  ORIGIN,
  resolveGate,
  sendDue,
  type Stand,
} from "@/server/notify/testing/fixture";
import { sealWebhookSecret } from "@/server/notify/secret";
import { workWebhooks } from "@/server/notify/worker";
import { createVault } from "@/server/security/vault";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 40_000 });

const urls = await testDatabase("runner");
const HOUR_MS = 3_600_000;
let receiver: Receiver;
let stand: Stand;
let clock: ReturnType<typeof movedClock>;
let deps: ReturnType<typeof notifyDeps>;
const opened: Receiver[] = [];
const receive = async (): Promise<Receiver> => {
  const one = await openReceiver();
  opened.push(one);

  return one;
};

beforeEach(async () => {
  await asAdmin(urls.admin, "truncate webhook_endpoint, webhook_delivery");
  receiver = await receive();
  stand = await openStand(urls.admin);
  clock = movedClock();
  deps = notifyDeps(stand.vault, clock, [receiver.origin]);
});
afterAll(() => Promise.all(opened.map((one) => one.close())));

const endpoint = (url = receiver.url) => addEndpoint(urls.admin, stand.workspace, stand.vault, { url });
const offReason = async (id: string) =>
  (await queryOn<{ off_reason: string | null }>(urls.admin, "select off_reason from webhook_endpoint where id = $1", [id]))[0]?.off_reason;

describe("a notification", () => {
  test("of a gate arrives once, signed, with only the declared fields and a link to its approval", async () => {
    const { id, secret } = await endpoint();
    const approval = await openGate(stand, "SECRET PROMPT");
    expect(await sendDue(deps)).toBe(1);
    expect(await sendDue(deps)).toBe(0);
    expect(receiver.received).toHaveLength(1);
    const payload = webhookPayloadSchema.parse(checkVerification(secret, receiver.received[0]!));
    expect(payload).toMatchObject({
      type: "approval.requested",
      data: {
        approval_id: approval,
        run_id: stand.run,
        graph_name: "Support desk",
        node: "write",
        link: `${ORIGIN}/approvals/${approval}?workspace=${stand.workspace}`,
      },
    });
    expect(receiver.received[0]!.body).not.toContain("SECRET");
    const [delivery] = await deliveriesOf(urls.admin, id);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 1, code: 204, fault: null });
    expect(receiver.received[0]!.headers["webhook-id"]).toBe(delivery?.id);

    await resolveGate(urls.admin, approval);
    await sendDue(deps);
    expect(webhookPayloadSchema.parse(JSON.parse(receiver.received[1]!.body))).toMatchObject({
      type: "approval.resolved",
      data: { outcome: "approved", approval_id: approval },
    });
  });

  test("is retried later with the same id and body, until accepted", async () => {
    const { id } = await endpoint();
    receiver.answerWith(answer(503));
    await openGate(stand);
    await sendDue(deps);
    const [waiting] = await deliveriesOf(urls.admin, id);
    expect(waiting).toMatchObject({ status: "pending", attempts: 1, code: 503, fault: "refused" });
    expect(await sendDue(deps)).toBe(0);
    clock.moveBy((waitAfterMs(waiting!.id, 1) ?? 0) + 100);
    receiver.answerWith(answer(200));
    expect(await sendDue(deps)).toBe(1);
    expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "delivered", attempts: 2, code: 200, fault: null });
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  });

  test("is given up after ten attempts, and the endpoint is switched off after days of failures", async () => {
    const { id } = await endpoint();
    receiver.answerWith(answer(500));
    const untilGivenUp = async () => {
      await openGate(stand);
      for (let tries = 0; tries < 30; tries += 1) {
        await sendDue(deps);
        clock.moveBy(24 * HOUR_MS);
      }
    };
    await openGate(stand);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await sendDue(deps)).toBe(1);
      clock.moveBy((waitAfterMs((await deliveriesOf(urls.admin, id))[0]!.id, attempt) ?? 0) + 100);
    }
    expect(await sendDue(deps)).toBe(0);
    expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "failed", attempts: 10, code: 500 });
    expect(await offReason(id)).toBeNull();
    await untilGivenUp();
    expect(await offReason(id)).toBe("failing");
    const before = receiver.received.length;
    await openGate(stand);
    expect(await sendDue(deps)).toBe(0);
    expect(receiver.received).toHaveLength(before);
  });

  test("answered 410 switches the endpoint off at once and drops the rest of its queue", async () => {
    const { id } = await endpoint();
    receiver.answerWith(answer(410));
    await openGate(stand);
    await openGate(stand);
    await sendDue(deps);
    expect(receiver.received).toHaveLength(1);
    expect(await offReason(id)).toBe("gone");
    expect((await deliveriesOf(urls.admin, id)).map(({ status }) => status).toSorted()).toEqual(["dropped", "failed"]);
  });

  test.each([
    ["the metadata service", "http://169.254.169.254/latest/meta-data/"],
    ["a page of its own", "/elsewhere"],
  ])("redirected to %s goes no further", async (_where, location) => {
    const { id } = await endpoint();
    receiver.answerWith(answer(307, { location }));
    await openGate(stand);
    await sendDue(deps);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
    expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "pending", code: 307, fault: "redirected" });
  });

  test("to a disallowed local address is not sent, whatever the row says", async () => {
    const other = await receive();
    const { id } = await endpoint(other.url);
    await openGate(stand);
    await sendDue(deps);
    expect(other.received).toEqual([]);
    expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "pending", code: null, fault: "blocked" });
  });

  test("to a silent endpoint times out without delaying others", async () => {
    const quick = await receive();
    deps = notifyDeps(stand.vault, clock, [receiver.origin, quick.origin], 6_000);
    receiver.answerWith(() => undefined);
    const { id } = await endpoint();
    await endpoint(quick.url);
    await openGate(stand);
    const controller = new AbortController();
    const startedMs = Date.now();
    const working = workWebhooks(deps, controller.signal);
    await vi.waitFor(() => expect(quick.received).toHaveLength(1), { timeout: 5_500 });
    controller.abort();
    await working;
    expect(Date.now() - startedMs).toBeLessThan(20_000);
    expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ attempts: 1, code: null, fault: "timeout" });
  });

  test("is not held up by an endless answer, which is discarded", async () => {
    const { id } = await endpoint();
    let sent = 0;
    receiver.answerWith((response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = () => {
        sent += 65_536;
        if (!response.destroyed && response.write("x".repeat(65_536))) setImmediate(more);
      };
      response.on("drain", more);
      more();
    });
    await openGate(stand);
    await sendDue(deps);
    expect((await deliveriesOf(urls.admin, id))[0]).toMatchObject({ status: "delivered", code: 200 });
    expect(sent).toBeLessThan(16_000_000);
  });
});

describe("a secret", () => {
  test("that was replaced also signs until its time is over, and not longer", async () => {
    const { id, secret: old } = await endpoint();
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    await asAdmin(
      urls.admin,
      "update webhook_endpoint set old_secret = secret, old_secret_until = to_timestamp($3::double precision / 1000), secret = $2 where id = $1",
      [id, Buffer.from(sealWebhookSecret(stand.vault, stand.workspace, id, secret)), clock.now() + HOUR_MS],
    );
    await openGate(stand);
    await sendDue(deps);
    for (const each of [old, secret]) expect(checkVerification(each, receiver.received[0]!)).toBeTruthy();
    clock.moveBy(HOUR_MS);
    await openGate(stand);
    await sendDue(deps);
    const { headers } = receiver.received[1]!;
    expect(String(headers["webhook-signature"]).split(" ")).toHaveLength(1);
  });

  test("is resealed when the vault's key rotates, and does not open for another endpoint", async () => {
    const { id, secret } = await endpoint();
    const ring = `1 ${stand.vaultKey}\n2 ${"b".repeat(64)}\n`;
    await resealWebhookSecrets(createVault(ring));
    deps = notifyDeps(createVault(`2 ${"b".repeat(64)}\n`), clock, [receiver.origin]);
    await openGate(stand);
    await sendDue(deps);
    expect(checkVerification(secret, receiver.received[0]!)).toBeTruthy();

    const other = await endpoint(`${receiver.origin}/other`);
    await asAdmin(urls.admin, "update webhook_endpoint set secret = (select secret from webhook_endpoint where id = $2) where id = $1", [
      other.id,
      id,
    ]);
    await openGate(stand);
    await sendDue(deps);
    expect((await deliveriesOf(urls.admin, other.id))[0]).toMatchObject({ fault: "secret_unreadable", code: null });
  });
});

test("a disabled endpoint, or one without this event, gets nothing, and no endpoint gets earlier events", async () => {
  await openGate(stand);
  const { id } = await endpoint();
  const other = await addEndpoint(urls.admin, stand.workspace, stand.vault, { url: receiver.url, types: ["run.ended"] });
  const elsewhere = await openStand(urls.admin);
  const stranger = await addEndpoint(urls.admin, elsewhere.workspace, elsewhere.vault, { url: receiver.url });
  await asAdmin(urls.admin, "update webhook_endpoint set off_reason = 'admin' where id = $1", [id]);
  await openGate(stand);
  expect(await Promise.all([id, other.id, stranger.id].map((each) => deliveriesOf(urls.admin, each)))).toEqual([[], [], []]);
});
