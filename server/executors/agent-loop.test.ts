import { expect, test } from "vitest";
import type { ToolCall } from "@/lib/engine/thread";
import { agentExecutor } from "@/server/executors/agent";
import { offeredTools } from "@/server/executors/agent-tools";
import { Suspended, type Gateways, type ModelAnswer } from "@/server/executors/contract";
import { FIND, inputFor, mailView, never, refused } from "@/server/executors/testing/plane";
import { ModelError } from "@/server/models/contract";

/** A model that says these things in order. */
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

test("only granted tools are offered, save_to_memory only where something may be written, hand_off only where there are peers", () => {
  const names = (writes: string[], peers: string[]) => offeredTools({ tools: [FIND], writes, peers }).map((tool) => tool.name);
  expect(names(["change"], [])).toEqual(["customers__find_customer", "save_to_memory"]);
  expect(names([], [])).toEqual(["customers__find_customer"]);
  expect(names([], ["billing"])).toEqual(["customers__find_customer", "hand_off"]);
});

test("an answer that is not JSON can be retried; JSON in a fence or a sentence is taken", async () => {
  const input = inputFor("parse", mailView("x"));
  expect(await agentExecutor(input, speaking(says("sorry")), never)).toMatchObject({
    type: "failure",
    code: "answer_not_json",
    retryable: true,
  });
  for (const text of ['{"a":1}', 'Here:\n```json\n{"a":1}\n```', 'It is {"a":1}.']) {
    expect(await agentExecutor(input, speaking(says(text)), never)).toMatchObject({
      actions: [{ type: "update_memory", updates: [{ path: "request", value: { a: 1 } }] }],
    });
  }
});

test("a model that never stops calling is stopped at max_steps", async () => {
  const input = inputFor("reply", {}, {});
  const endless: Gateways = { ...speaking(), models: { generate: async () => calls("customers__find_customer") } };

  expect(await agentExecutor(input, endless, never)).toMatchObject({ type: "failure", code: "agent_steps_exhausted", retryable: false });
});

test("a refused budget ends the node with the refusal's code", async () => {
  expect(await agentExecutor(inputFor("reply", {}), speaking(refused("cost_budget")), never)).toMatchObject({
    type: "failure",
    code: "cost_budget",
    retryable: false,
  });
});

test("a model's failure reaches the runner with how long the provider asks to wait", async () => {
  const failing: Gateways = {
    ...speaking(),
    models: { generate: () => Promise.reject(new ModelError("model_rate_limited", true, "wait", { retryAfterMs: 7_000, billed: "no" })) },
  };

  await expect(agentExecutor(inputFor("reply", {}), failing, never)).rejects.toMatchObject({
    code: "model_rate_limited",
    retryAfterMs: 7_000,
  });
});

test("a suspended run passes through the loop untouched", async () => {
  const suspended: Gateways = { ...speaking(calls("customers__find_customer")), tools: { call: () => Promise.reject(new Suspended()) } };

  await expect(agentExecutor(inputFor("plan", {}), suspended, never)).rejects.toBeInstanceOf(Suspended);
});

test("a cancelled run asks nothing more", async () => {
  const reason = new Error("cancelled");

  await expect(agentExecutor(inputFor("reply", {}), speaking(says("x")), AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("an action's input cannot name another action, and names that are no tool still reach the control plane", async () => {
  const proposed: unknown[] = [];
  const requested: unknown[] = [];
  const spy: Gateways = {
    ...speaking(
      calls("goto_node", { type: "update_memory", node: "x" }),
      calls("set_status", "completed"),
      calls("no separator"),
      calls("__"),
    ),
    actions: { propose: async (action) => (proposed.push(action), refused("action_not_granted")) },
    tools: { call: async (call) => (requested.push(call), refused("tool_not_granted")) },
  };
  await agentExecutor(inputFor("reply", {}), spy, never);

  expect(proposed).toEqual([
    { type: "goto_node", node: "x" },
    { type: "set_status", input: "completed" },
  ]);
  expect(requested).toMatchObject([
    { server: "", tool: "no separator" },
    { server: "", tool: "" },
  ]);
});
