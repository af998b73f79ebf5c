/** Theodosia checks 4 to 18 and 43 (docs/decisions/conformance.md): refusals and failures. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Json } from "@/lib/json";
import { REFUSALS } from "@/lib/refusal";
import { field, legal, openChecks, text, type Agent, type CheckDesk } from "@/server/outside/testing/check-desk";
import type { Called } from "@/server/outside/testing/client";
import { recordsOf } from "@/server/outside/testing/records";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const open = await openChecks();
let checks: CheckDesk;
beforeAll(async () => {
  checks = await open();
});
afterAll(() => checks.stand.close());

const MARIA = { email: "maria.lindqvist@nordlicht.example" };
const LOOK_UP = { action: "look_up", inputs: { order_id: "ord_2001" } };

const begun = async (): Promise<{ agent: Agent; session: string; run: string; first: Called }> => {
  const agent = await checks.agent("refunds");
  const first = await agent.call("step", LOOK_UP);

  return { agent, first, session: text(first, "session"), run: text(first, "app_id") };
};

test("4. refuses a later action first, names the legal ones, and executes nothing of it", async () => {
  const agent = await checks.agent("refunds");
  const refused = await agent.call("step", { action: "refund" });
  expect(refused.payload).toMatchObject({ error: "invalid_transition", requested: "refund", valid_next_actions: ["look_up"] });
  const records = await recordsOf(checks.stand.desk, text(refused, "app_id"));
  expect(records.at(-1)).toMatchObject({ kind: "refusal", refusal: { code: "invalid_transition" } });
  const events = records.flatMap(({ control }) => control.map(({ type }) => type));
  expect(events.filter((type) => ["node_entered", "effect_intended", "action_chosen"].includes(type))).toEqual([]);
});

test("6. every answer, done or refused, has the schemas of exactly the legal actions", async () => {
  const { agent, session, first } = await begun();
  const step = (action: string, inputs: Json = null) => agent.call("step", { action, inputs, session });
  const answers = [
    first,
    await step("refund"),
    await step("nowhere"),
    await step("propose_refund", { amount_cents: "much" }),
    await agent.call("step", { action: "close", session, expected_seq: 0 }),
    await agent.call("fork_at", { session, sequence_id: 999 }),
    await agent.call("state", { session: "made up" }),
    await agent.call("step", { action: 7 }),
    await agent.call("next", { session }),
    await step("close"),
    await step("close"),
  ];
  for (const answer of answers) expect(Object.keys(field(answer, "next_action_schemas") as object)).toEqual(legal(answer));
  expect(answers.map((answer) => field(answer, "error"))).toEqual([
    null,
    "invalid_transition",
    "unknown_action",
    "validation_failed",
    "version_conflict",
    "unknown_sequence_id",
    "not_found",
    "malformed",
    null,
    null,
    "run_finished",
  ]);
});

test("8. the declared form of every tool's answer has the two fields that every answer has", async () => {
  const { tools } = await (await checks.agent("refunds")).client.listTools();
  for (const { outputSchema } of tools) {
    expect(outputSchema?.["required"]).toEqual(["valid_next_actions", "next_action_schemas"]);
    expect(Object.keys(outputSchema?.["properties"] ?? {})).toEqual(expect.arrayContaining(["valid_next_actions", "next_action_schemas"]));
  }
});

test("9. a graph of another size has the same tools, and only the names of its actions differ", async () => {
  const listed = async (graph: "refunds" | "counter") => {
    const { tools } = await (await checks.agent(graph)).client.listTools();

    return tools.map(({ inputSchema: { properties = {}, ...schema }, ...tool }) => {
      const { action: _action, ...others } = properties;

      return { ...tool, schema, others };
    });
  };
  expect(await listed("counter")).toEqual(await listed("refunds"));
});

test("12. an action that fails is an error by its code, moves nothing, and stands in the history as refused", async () => {
  const agent = await checks.agent("patient");
  const session = text(await agent.call("step", { action: "count" }), "session");
  const before = await agent.call("state", { session });
  const failed = await agent.call("step", { action: "find", inputs: { email: "unknown@nowhere.example" }, session });
  expect(failed.isError).toBe(true);
  expect(failed.payload).toMatchObject({
    error: "action_error",
    requested: "find",
    error_type: "tool_error",
    valid_next_actions: legal(before),
  });
  const after = await agent.call("state", { session });
  expect([field(after, "state"), legal(after)]).toEqual([field(before, "state"), legal(before)]);
  const history = field(await agent.call("history", { session }), "history") as Json[];
  expect(history.at(-1)).toMatchObject({ action: "find", refused: true, refusal_reason: "action_error", state_after: null });
});

test("15. what does not fit is refused with its reason and which input it is, and the action is not executed", async () => {
  const { agent, session, run } = await begun();
  const refused = await agent.call("step", { action: "propose_refund", inputs: { amount_cents: 0, reason: "Late." }, session });
  expect(refused.isError).toBe(false);
  expect(refused.payload).toMatchObject({
    error: "validation_failed",
    details: { inputs: ["amount_cents"] },
    reason: REFUSALS.validation_failed.message,
  });
  const last = (await recordsOf(checks.stand.desk, run)).at(-1);
  expect([last?.refusal?.code, last?.control]).toEqual(["validation_failed", []]);
  expect(last?.writes.map(({ path }) => path)).toEqual(["$attempt"]);
});

test("18. in strict mode a refusal is an error, and nothing else about it is different", async () => {
  const [soft, strict] = [await checks.agent("refunds"), await checks.agent("refunds", { strictErrors: true })];
  for (const args of [{ action: "refund" }, { action: "nowhere" }, { action: "look_up", inputs: { order_id: 1 } }]) {
    const [one, other] = [await soft.call("step", args), await strict.call("step", args)];
    expect([one.isError, other.isError]).toEqual([false, true]);
    expect(other.payload).toEqual({ ...one.payload, session: field(other, "session"), app_id: field(other, "app_id") });
  }
});

test("43. no tool of a server behind the graph is a tool of the agent, and none can be called past the graph", async () => {
  const agent = await checks.agent("refunds");
  const { tools } = await agent.client.listTools();
  const names = tools.map(({ name }) => name);
  const behind = checks.stand.desk.published.tools.concat(checks.stand.demo.of("refund-desk").published.tools).map(({ tool }) => tool);
  expect(behind).toEqual(expect.arrayContaining(["find_customer", "refund_order"]));
  expect(names.filter((name) => behind.includes(name))).toEqual([]);
  for (const name of ["refund_order", "shop.refund_order"]) await expect(agent.call(name)).rejects.toThrow("There is no such tool");
});

test("13. an action that takes too long ends at its limit, not with its body, moves nothing, and stands in the history", async () => {
  const agent = await checks.agent("counter");
  const session = text(await agent.call("step", { action: "count" }), "session");
  const before = await agent.call("state", { session });
  const held = await checks.holdCustomers();
  const late = await agent.call("step", { action: "find", inputs: MARIA, session }).finally(() => void held.letGo());
  expect(late.isError).toBe(true);
  expect(late.payload).toMatchObject({ error: "action_timeout", requested: "find", timeout_seconds: 1, valid_next_actions: legal(before) });
  const after = await agent.call("state", { session });
  expect([field(after, "state"), legal(after)]).toEqual([field(before, "state"), legal(before)]);
  const history = field(await agent.call("history", { session }), "history") as Json[];
  expect(history.at(-1)).toMatchObject({ action: "find", refused: true, refusal_reason: "action_timeout", state_after: null });
});

test("14. an action that ends within its time is taken", async () => {
  const agent = await checks.agent("patient");
  const session = text(await agent.call("step", { action: "count" }), "session");
  const done = await agent.call("step", { action: "find", inputs: MARIA, session });
  expect([done.isError, done.payload]).toMatchObject([false, { action: "find", valid_next_actions: ["end"] }]);
});
