import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toMemory } from "@/lib/engine/state";
import { ownMember, type Json } from "@/lib/json";
import { NEW_SHOP, shopSchema } from "@/server/mcp/shop/data";
import { testInstallation } from "@/server/mcp/testing/installation";
import { useSameModels } from "@/server/models/contract";
import { createModels } from "@/server/models/sdk/in-process";
import { startFake } from "@/server/models/testing/fake";
import { publishAs, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, openGateOf, readRun } from "@/server/runner/testing/run";
import { keptBy, openDemo, type Demo } from "@/server/seed/testing/demo";
import { driveFromOutside, type Driver } from "@/server/seed/testing/outside";
import { testDatabase } from "@/server/testing/database";

vi.setConfig({ testTimeout: 60_000 });

const urls = await testDatabase("runner");
const installation = await testInstallation();
let demo: Demo;
let desk: Desk;
beforeAll(async () => {
  demo = await openDemo(urls, installation);
  desk = demo.of("refund-desk");
}, 120_000);
afterAll(() => demo.desk.mcp.close());

const refunds = async () => {
  const kept = await keptBy(installation, "shop");

  return (kept === null ? NEW_SHOP : shopSchema.parse(kept)).refunds.map(({ order_id: order, amount_cents: cents }) => ({ order, cents }));
};

const step = (driver: Driver, action: string, inputs: Json = null) => driver.send({ kind: "step", action, inputs });
const codeOf = async (driver: Driver, action: string, inputs: Json = null) => (await step(driver, action, inputs)).refusal?.code ?? null;

const take = async (driver: Driver, steps: readonly (readonly [string, Json?])[]) => {
  for (const [action, inputs = null] of steps) expect([action, await codeOf(driver, action, inputs)]).toEqual([action, null]);
};

const decide = async ({ runId }: Driver, decision: "approve" | "reject") => {
  const { state } = await readRun(desk, runId);
  await ask(desk, runId, desk.people.reviewer, decisionFor(desk, state, decision));
};

const standing = async ({ runId }: Driver) => {
  const { state } = await readRun(desk, runId);
  const isOpen = Object.values(state.gates).some(({ status }) => status === "open");
  const gate = isOpen ? openGateOf(state).gate : null;

  return gate ? `${gate.node}: ${gate.reason}` : (state.position?.actions.map(({ node }) => node) ?? state.status);
};

const propose = (cents: number, reason = "Arrived broken."): readonly [string, Json] => ["propose_refund", { amount_cents: cents, reason }];
const LOOK_UP = ["look_up", { order_id: "ord_2001" }] as const;

test("a small refund is paid after one approval, with the legal actions reported at each step", async () => {
  const before = await refunds();
  const driver = await driveFromOutside(desk, "scripted:honest");
  expect(await standing(driver)).toEqual(["look_up"]);
  await take(driver, [LOOK_UP]);
  expect(await standing(driver)).toEqual(["propose_refund", "close"]);
  await take(driver, [propose(4_000), ["check"]]);
  expect(await standing(driver)).toEqual(["refund"]);
  await take(driver, [["refund"]]);
  expect(await standing(driver)).toBe("refund: effect");
  expect(await refunds()).toEqual(before);
  await decide(driver, "approve");
  expect(await refunds()).toEqual([...before, { order: "ord_2001", cents: 4_000 }]);
  await take(driver, [["reply"], ["close"]]);

  const { state } = await readRun(desk, driver.runId);
  expect(state.status).toBe("completed");
  expect(toMemory(state.cells)).toMatchObject({ outcome: "refunded", refund: { amount_cents: 4_000, status: "paid" } });
  expect(ownMember(toMemory(state.cells), "reply_draft")).toContain("40.00");
});

test("a larger refund also needs a review of its reason; a rejection leaves only the end", async () => {
  const before = await refunds();
  const driver = await driveFromOutside(desk, "scripted:honest");
  await take(driver, [LOOK_UP, propose(20_000), ["check"]]);
  expect(await standing(driver)).toEqual(["ask_person"]);
  await take(driver, [["ask_person"]]);
  expect(await standing(driver)).toBe("ask_person: approval_node");
  await decide(driver, "reject");
  expect(await standing(driver)).toEqual(["close"]);
  await take(driver, [["close"]]);

  const { state } = await readRun(desk, driver.runId);
  expect(toMemory(state.cells)).toMatchObject({ outcome: "not_refunded" });
  expect(await refunds()).toEqual(before);
});

test("a refund above the order's cost can only be proposed again", async () => {
  const driver = await driveFromOutside(desk, "scripted:honest");
  await take(driver, [LOOK_UP, propose(22_151), ["check"]]);
  expect(await standing(driver)).toEqual(["propose_refund"]);
  await take(driver, [propose(22_150), ["check"]]);
  expect(await standing(driver)).toEqual(["ask_person"]);
});

test("illegal, unknown, malformed and premature actions are refused on record without effect", async () => {
  const before = await refunds();
  const driver = await driveFromOutside(desk, "scripted:honest");
  expect(await codeOf(driver, "refund")).toBe("invalid_transition");
  expect(await codeOf(driver, "pay_me")).toBe("unknown_action");
  expect(await codeOf(driver, "look_up", { order_id: "ord_9999" })).toBe("validation_failed");
  expect(await codeOf(driver, "look_up", { order_id: "ord_2001", risk: { new_customer: false } })).toBe("validation_failed");
  await take(driver, [LOOK_UP]);
  expect(await codeOf(driver, ...propose(-1))).toBe("validation_failed");
  await take(driver, [propose(100), ["check"], ["refund"]]);
  expect(await codeOf(driver, "refund")).toBe("approval_pending");

  const { state } = await readRun(desk, driver.runId);
  expect(state.refusals).toBe(6);
  expect(await refunds()).toEqual(before);
});

test("an action that exceeds its timeout leaves position and memory unchanged", async () => {
  const silent = await startFake(() => ({ hang: true }));
  try {
    const { published } = desk;
    const impatient = {
      ...published,
      graph: {
        ...published.graph,
        nodes: published.graph.nodes.map((node) =>
          node.id === "reply" ? { ...node, failure_policy: { ...node.failure_policy, timeout_ms: 100 } } : node,
        ),
      },
    };
    const graphHash = await publishAs(desk, impatient, desk.people.builder);
    const models = createModels({ OPENAI_BASE_URL: silent.url, OPENAI_MODEL: "llama" });
    const slow: Desk = { ...desk, published: impatient, graphHash, deps: { ...desk.deps, modelsFor: useSameModels(models) } };
    const driver = await driveFromOutside(slow, "openai-compatible:llama");
    await take(driver, [LOOK_UP, propose(100), ["check"], ["refund"]]);
    await decide(driver, "approve");
    const rested = await readRun(desk, driver.runId);
    await take(driver, [["reply"]]);

    expect(await standing(driver)).toEqual(["reply", "close"]);
    const { state, records } = await readRun(desk, driver.runId);
    expect(toMemory(state.cells)).toEqual(toMemory(rested.state.cells));
    const causes = records.flatMap(({ record }) =>
      record.control.flatMap((event) => (event.type === "action_awaited" ? [event.cause] : [])),
    );
    expect(causes.at(-1)).toBe("failed");
    await take(driver, [["close"]]);
  } finally {
    await silent.close();
  }
});
