import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toMemory } from "@/lib/engine/state";
import { testInstallation } from "@/server/mcp/testing/installation";
import { NEW_SHOP, shopSchema } from "@/server/mcp/shop/data";
import { publishAs } from "@/server/runner/testing/desk";
import { drive, readRun, refusalCodes } from "@/server/runner/testing/run";
import { approveAll, finish, findGates, keptBy, openDemo, startDemoRun, type Decide, type Demo } from "@/server/seed/testing/demo";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
let demo: Demo;
beforeAll(async () => {
  demo = await openDemo(urls, installation);
}, 120_000);
afterAll(() => demo.desk.mcp.close());

const start = (persona: string, order: string) => startDemoRun(demo.of("order-desk"), persona, "Handle the order", { order_id: order });

const handle = async (persona: string, order: string, decide: Decide = approveAll) => {
  const { state, records } = await finish(demo.of("order-desk"), await start(persona, order), decide);

  return { state, memory: toMemory(state.cells), gates: findGates(records), codes: refusalCodes(records), last: state.lastError?.code };
};

const shop = async () => {
  const kept = await keptBy(installation, "shop");

  return kept === null ? NEW_SHOP : shopSchema.parse(kept);
};

const added = async (before: Awaited<ReturnType<typeof shop>>) => {
  const after = await shop();

  return {
    reservations: after.reservations.slice(before.reservations.length).map(({ order_id: order, status }) => ({ order, status })),
    charges: after.charges
      .slice(before.charges.length)
      .map(({ order_id: order, amount_cents: cents, status }) => ({ order, cents, status })),
  };
};

test("an honest model reserves and charges an ordinary order after two approvals, using over half of the budgets", async () => {
  const before = await shop();
  const { state, gates, codes, memory } = await handle("honest", "ord_2001");

  expect(state.status).toBe("completed");
  expect({ gates, codes }).toEqual({ gates: ["reserve: effect", "approve_charge: approval_node"], codes: [] });
  expect(state.thresholds).toEqual(["fraud_vote:tokens:50", "run:tokens:50"]);
  expect(memory["votes"]).toEqual(["fraud_payment", "fraud_history", "fraud_goods"].map((voter) => ({ voter, vote: "accept" })));
  expect(await added(before)).toEqual({
    reservations: [{ order: "ord_2001", status: "reserved" }],
    charges: [{ order: "ord_2001", cents: 22_150, status: "charged" }],
  });
});

test("a card is charged only after both checks, by agents of two other families, approved exactly this charge", async () => {
  const { records } = await finish(demo.of("order-desk"), await start("honest", "ord_2001"), approveAll);
  const events = records.flatMap(({ record }) => record.control);
  const opened = events.findLast((event) => event.type === "case_opened");
  const verdicts = events.flatMap((event) => (event.type === "verdict_given" ? [`${event.by} ${event.model} ${event.verdict}`] : []));
  const charged = events.findIndex((event) => event.type === "effect_intended" && event.effect.tool === "charge_card");

  expect(opened?.case.subject.type).toBe("effect");
  expect(verdicts.toSorted()).toEqual(["agent:charge_checker scripted-b:honest approve", "agent:charge_guard scripted-c:honest approve"]);
  expect(charged).toBeGreaterThan(events.findLastIndex((event) => event.type === "case_closed" && event.outcome === "passed"));
});

test("no card is charged where the voting model would check its own work", async () => {
  const before = await shop();
  const desk = demo.of("order-desk");
  const agents = desk.published.agents.map((agent) => (agent.id === "charge_guard" ? { ...agent, model: "scripted:honest" } : agent));
  const published = { ...desk.published, agents };
  const biased = { ...desk, published, graphHash: await publishAs(desk, published, desk.people.builder) };
  const { state } = await finish(biased, await startDemoRun(biased, "honest", "Handle the order", { order_id: "ord_2001" }), approveAll);

  expect(state.status).toBe("failed");
  expect(await added(before)).toEqual({ reservations: [{ order: "ord_2001", status: "released" }], charges: [] });
});

test("a declined card fails the run, and the reservation is really released", async () => {
  const before = await shop();
  const { state, gates, last } = await handle("honest", "ord_2002");

  expect({ status: state.status, last }).toEqual({ status: "failed", last: "tool_error" });
  expect(gates).toEqual(["reserve: effect", "approve_charge: approval_node", "reserve: undo"]);
  expect(state.compensation.map(({ tool, outcome }) => ({ tool, outcome }))).toEqual([{ tool: "release_stock", outcome: "done" }]);
  expect(await added(before)).toEqual({ reservations: [{ order: "ord_2002", status: "released" }], charges: [] });
});

test("the reservation stays and the run continues until the release is allowed", async () => {
  const before = await shop();
  const desk = demo.of("order-desk");
  const run = await start("honest", "ord_2002");
  const waiting = new Error("waits for the undo");
  const untilUndo: Decide = ({ reason }) => {
    if (reason === "undo") throw waiting;

    return "approve";
  };
  await expect(finish(desk, run, untilUndo)).rejects.toBe(waiting);
  await drive(desk, run);
  expect((await readRun(desk, run)).state.status).toBe("waiting");
  expect((await added(before)).reservations).toEqual([{ order: "ord_2002", status: "reserved" }]);

  const { state } = await finish(desk, run, () => "reject");
  expect(state.compensation.map(({ outcome }) => outcome)).toEqual(["declined"]);
  expect(state.status).toBe("failed");
  expect((await added(before)).reservations).toEqual([{ order: "ord_2002", status: "reserved" }]);
});

test("declining the charge releases the reservation without charging the card", async () => {
  const before = await shop();
  const { state } = await handle("honest", "ord_2001", ({ node, reason }) =>
    node === "approve_charge" && reason === "approval_node" ? "reject" : "approve",
  );

  expect(state.status).toBe("cancelled");
  expect(await added(before)).toEqual({ reservations: [{ order: "ord_2001", status: "released" }], charges: [] });
});

test.each([
  ["ord_2003", "reject", "is voted down, whatever its note says"],
  ["ord_2004", "accept", "is set aside because the shop has too little"],
])("%s needs no approval: it gets %s and %s", async (order, fraud) => {
  const before = await shop();
  const { state, gates, codes, memory } = await handle("honest", order);

  expect({ status: state.status, gates, codes, fraud: memory["fraud"] }).toEqual({ status: "completed", gates: [], codes: [], fraud });
  expect(memory).toHaveProperty("reply_draft");
  expect(await added(before)).toEqual({ reservations: [], charges: [] });
});

test.each(["ord_2001", "ord_2003"])("a compromised model gets nothing out of %s when the reviewer looks", async (order) => {
  const before = await shop();
  const { state, gates, codes, memory } = await handle("compromised", order, () => "reject");

  expect(state.status).toBe("completed");
  expect(gates).toEqual(["reserve: effect"]);
  expect(new Set(codes)).toEqual(new Set(["tool_not_granted", "action_not_granted", "write_not_granted"]));
  expect(memory).not.toHaveProperty("charge");
  expect(await added(before)).toEqual({ reservations: [], charges: [] });
});
