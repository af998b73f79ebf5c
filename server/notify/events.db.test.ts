import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { WebhookType } from "@/lib/webhooks/types";
import { asAdmin } from "@/server/mcp/testing/registered";
import { openReceiver, type Receiver } from "@/server/notify/testing/receiver";
import { addEndpoint, movedClock, notifyDeps, openGate, openStand, sendDue, type Stand } from "@/server/notify/testing/fixture";
import { webhookPayloadSchema } from "@/lib/webhooks/payload";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 40_000 });

const urls = await testDatabase("runner");
const opened: Receiver[] = [];
let receiver: Receiver;
let stand: Stand;
let deps: ReturnType<typeof notifyDeps>;

beforeEach(async () => {
  await asAdmin(urls.admin, "truncate webhook_endpoint, webhook_delivery");
  receiver = await openReceiver();
  opened.push(receiver);
  stand = await openStand(urls.admin);
  deps = notifyDeps(stand.vault, movedClock(), [receiver.origin]);
});

afterAll(() => Promise.all(opened.map((one) => one.close())));

const TYPES: readonly WebhookType[] = ["run.ended", "run.threshold", "run.refused", "approval.requested"];
const listen = (filter: Partial<Parameters<typeof addEndpoint>[3]> = {}) =>
  addEndpoint(urls.admin, stand.workspace, stand.vault, { url: receiver.url, types: TYPES, ...filter });
const updateRun = (change: string) => asAdmin(urls.admin, `update run set version = version + 1, ${change} where id = $1`, [stand.run]);
const sent = async () => {
  await sendDue(deps);

  return receiver.received.map(({ body }) => webhookPayloadSchema.parse(JSON.parse(body)));
};

describe("a run's event", () => {
  test("reports each higher threshold once, and again after a raised limit", async () => {
    await listen();
    for (const percent of [50, 50, 90, 50, 75]) await updateRun(`budget_percent = ${percent}`);
    // Deliveries are sent side by side, so they arrive in any order.
    expect((await sent()).map(({ type, data }) => `${type} ${"percent" in data ? data.percent : ""}`).toSorted()).toEqual([
      "run.threshold 50",
      "run.threshold 75",
      "run.threshold 90",
    ]);
  });

  test("names the refusal that was stored last, with its code and node and without its values", async () => {
    await listen();
    const record = { kind: "refusal", node: "write", refusal: { code: "cost_budget", ids: ["write"], legal: [] } };
    await asAdmin(
      urls.admin,
      "insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) values ($1, $2, 0, $3, '', '', '')",
      [stand.workspace, stand.run, JSON.stringify(record)],
    );
    await updateRun("refusals = 1");
    expect(await sent()).toMatchObject([{ type: "run.refused", data: { run_id: stand.run, code: "cost_budget", node: "write" } }]);
  });

  test("reports a run that ended over its budget", async () => {
    await listen();
    await updateRun("status = 'budget_exceeded'");
    expect(await sent()).toMatchObject([{ type: "run.ended", data: { status: "budget_exceeded" } }]);
  });

  test("reaches an endpoint of its graph and status only", async () => {
    const other = randomUUID();
    await listen({ graphIds: [other] });
    await listen({ statuses: ["completed"], graphIds: [other, stand.graph] });
    await openGate(stand);
    await updateRun("budget_percent = 50");
    await updateRun("status = 'failed'");
    expect((await sent()).map(({ type }) => type).toSorted()).toEqual(["approval.requested", "run.threshold"]);
  });
});
