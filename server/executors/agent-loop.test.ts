import { expect, test } from "vitest";
import type { ToolCall } from "@/lib/engine/thread";
import { runAgent } from "@/server/executors/agent";
import { listBeside } from "@/server/executors/agent-calls";
import { listOfferedTools } from "@/server/executors/agent-tools";
import { Suspended, type Gateways, type ModelAnswer } from "@/server/executors/contract";
import { FIND, inputFor, mailView, never, toRefused } from "@/server/executors/testing/plane";
import { ModelError } from "@/server/models/contract";

const speaking = (...answers: ModelAnswer[]): Gateways => ({
  tools: { call: async () => ({ status: "ok", result: { found: true } }) },
  actions: { propose: async () => ({ status: "ok" }) },
  tasks: { failed: () => Promise.resolve() },
  verdicts: { given: () => Promise.resolve({ status: "ok" as const }) },
  models: { generate: async ({ step }) => answers[step] ?? { status: "ok", text: "end", tool_calls: [] } },
});
const says = (text: string): ModelAnswer => ({ status: "ok", text, tool_calls: [] });
const calls = (name: string, input: ToolCall["input"] = {}): ModelAnswer => ({
  status: "ok",
  text: "",
  tool_calls: [{ id: "c0", name, input }],
});

test("offers only granted tools, save_to_memory where something may be written, hand_off where there are peers", () => {
  const names = (writes: string[], peers: string[]) => listOfferedTools({ tools: [FIND], writes, peers }).map((tool) => tool.name);
  expect(names(["change"], [])).toEqual(["customers__find_customer", "save_to_memory"]);
  expect(names([], [])).toEqual(["customers__find_customer"]);
  expect(names([], ["billing"])).toEqual(["customers__find_customer", "hand_off"]);
});

test("offers tools without hidden characters in their texts", () => {
  const pin = { ...FIND, description: "Finds\u200b.", input_schema: { properties: { id: { description: "T\u{e0041}he id" } } } };

  expect(listOfferedTools({ tools: [pin], writes: [] })).toEqual([
    { name: "customers__find_customer", description: "Finds.", input_schema: { properties: { id: { description: "The id" } } } },
  ]);
});

test("retries a non-JSON answer; accepts JSON in a fence or sentence", async () => {
  const input = inputFor("parse", mailView("x"));
  expect(await runAgent(input, speaking(says("sorry")), never)).toMatchObject({
    type: "failure",
    code: "answer_not_json",
    retryable: true,
  });
  for (const text of ['{"a":1}', 'Here:\n```json\n{"a":1}\n```', 'It is {"a":1}.']) {
    expect(await runAgent(input, speaking(says(text)), never)).toMatchObject({
      actions: [{ type: "update_memory", updates: [{ path: "request", value: { a: 1 } }] }],
    });
  }
});

test("stops a model at max_steps", async () => {
  const input = inputFor("reply", {}, {});
  const endless: Gateways = { ...speaking(), models: { generate: async () => calls("customers__find_customer") } };

  expect(await runAgent(input, endless, never)).toMatchObject({ type: "failure", code: "agent_steps_exhausted", retryable: false });
});

test("ends the node with the code of a refused budget", async () => {
  expect(await runAgent(inputFor("reply", {}), speaking(toRefused("cost_budget")), never)).toMatchObject({
    type: "failure",
    code: "cost_budget",
    retryable: false,
  });
});

test("reports a model failure with the provider's retry delay", async () => {
  const failing: Gateways = {
    ...speaking(),
    models: { generate: () => Promise.reject(new ModelError("model_rate_limited", true, "wait", { retryAfterMs: 7_000, billed: "no" })) },
  };

  await expect(runAgent(inputFor("reply", {}), failing, never)).rejects.toMatchObject({
    code: "model_rate_limited",
    retryAfterMs: 7_000,
  });
});

test("passes a suspension through the loop", async () => {
  const suspended: Gateways = { ...speaking(calls("customers__find_customer")), tools: { call: () => Promise.reject(new Suspended()) } };

  await expect(runAgent(inputFor("plan", {}), suspended, never)).rejects.toBeInstanceOf(Suspended);
});

test("asks nothing more after cancellation", async () => {
  const reason = new Error("cancelled");

  await expect(runAgent(inputFor("reply", {}), speaking(says("x")), AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("an input cannot override the action, and unknown tool names reach the control plane", async () => {
  const proposed: unknown[] = [];
  const requested: unknown[] = [];
  const spy: Gateways = {
    ...speaking(
      calls("goto_node", { type: "update_memory", node: "x" }),
      calls("set_status", "completed"),
      calls("no separator"),
      calls("__"),
    ),
    actions: { propose: async (action) => (proposed.push(action), toRefused("action_not_granted")) },
    tools: { call: async (call) => (requested.push(call), toRefused("tool_not_granted")) },
  };
  await runAgent(inputFor("reply", {}), spy, never);

  expect(proposed).toEqual([
    { type: "goto_node", node: "x" },
    { type: "set_status", input: "completed" },
  ]);
  expect(requested).toMatchObject([
    { server: "", tool: "no separator" },
    { server: "", tool: "" },
  ]);
});

test.each([
  [
    "of its destination class, up to the first other one",
    [
      ["b", {}],
      ["c", { effect: "irreversible" }],
      ["d", {}],
    ],
    ["b"],
  ],
  ["whose data stays inside alone, if its own leaves", [["b", { outward: false }]], []],
  [
    "of tools that it was granted",
    [
      ["b", {}],
      ["unknown", null],
    ],
    ["b"],
  ],
] as const)("lets calls wait beside one %s", (_what, others, expected) => {
  const toolOf = (tool: string, change: object) => ({ ...FIND, tool, effect: "write" as const, outward: true, ...change });
  const tools = [toolOf("a", {}), ...others.flatMap(([tool, change]) => (change === null ? [] : [toolOf(tool, change)]))];
  const callOf = (tool: string): ToolCall => ({ id: tool, name: `${FIND.server}__${tool}`, input: {} });
  const beside = listBeside(
    { task: "", tools },
    callOf("a"),
    others.map(([tool]) => callOf(tool)),
  );
  expect(beside.map(({ id }) => id)).toEqual(expected);
});
