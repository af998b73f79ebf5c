import { expect, test } from "vitest";
import type { Json } from "@/lib/json";
import type { ExecutorInput, ModelRequest } from "@/server/executors/contract";
import { mapExecutor } from "@/server/executors/map";
import { FIND, toRefused } from "@/server/executors/testing/plane";
import { findNode, shown, stage, stageInput, workerOf, type Line } from "@/server/executors/testing/stage";
import { ModelError } from "@/server/models/contract";

const policy = { attempts: 3, backoff: "fixed", backoff_ms: 0 } as const;
const agentWorker = (changes: object = {}) =>
  workerOf(findNode({ kind: "agent", failure_policy: { ...policy, ...changes }, config: { agent_id: "worker" } }, "worker"));
const toolWorker = workerOf(
  findNode(
    {
      kind: "tool",
      failure_policy: policy,
      config: { server: "customers", tool: "find_customer", arguments: { email: { item: "email" } } },
    },
    "worker",
  ),
  [FIND],
);
const transformWorker = (set: { path: string; value: string }[]) => workerOf(findNode({ kind: "transform", config: { set } }, "worker"));

const inputWith = (config: object, items: Json, worker: ExecutorInput["worker"] = agentWorker()): ExecutorInput =>
  stageInput(
    findNode({
      kind: "map",
      write_keys: ["results", "errors"],
      config: { worker_node: "worker", items: { from: "items" }, write_to: "results", errors_to: "errors", ...config },
    }),
    { items },
    ["editor"],
    { worker },
  );

const itemOf = (request: ModelRequest): Json => {
  const data = shown(request, "task");

  return typeof data === "object" && data !== null && "item" in data ? data["item"] : null;
};
const broken = (retryable: boolean): never => {
  throw new ModelError("model_failed", retryable, "broken", { billed: "no" });
};
const results = (values: Json, errors: Json = []) => ({
  type: "result",
  actions: [
    {
      type: "merge_parallel_results",
      updates: [
        { path: "results", value: values },
        { path: "errors", value: errors },
      ],
    },
  ],
});

test("works on each item once, showing it its index only, and keeps the order", async () => {
  const say = async (request: ModelRequest): Promise<Line> => {
    if (itemOf(request) === "a") await new Promise((resolve) => void setImmediate(resolve));

    return `done ${JSON.stringify(itemOf(request))}`;
  };
  const play = stage(inputWith({}, ["a", "b", "c"]), { model: say });

  expect(await play.play()).toEqual(results(['done "a"', 'done "b"', 'done "c"']));
  expect(play.requests.map((request) => [request.task, shown(request, "task")])).toEqual([
    ["item.0", { item: "a", index: 0, total: 3 }],
    ["item.1", { item: "b", index: 1, total: 3 }],
    ["item.2", { item: "c", index: 2, total: 3 }],
  ]);
  for (const request of play.requests) expect(shown(request, "memory")).toEqual({});
});

test("fails without a list or above the limit, dropping nothing", async () => {
  for (const items of ["text", { 0: "a" }, null]) {
    expect(await stage(inputWith({}, items), {}).play()).toMatchObject({ code: "map_no_list", retryable: false });
  }
  const play = stage(inputWith({ max_items: 2 }, ["a", "b", "c"]), {});
  expect(await play.play()).toMatchObject({ code: "map_too_many_items", retryable: false });
  expect(play.requests).toEqual([]);
  expect(await stage(inputWith({}, []), {}).play()).toEqual(results([]));
});

test("retries by the worker's policy, each attempt as its own task", async () => {
  const say = (request: ModelRequest): Line => (itemOf(request) === "b" && request.task !== "item.1.2" ? broken(true) : request.task);
  const play = stage(inputWith({}, ["a", "b"]), { model: say });

  expect(await play.play()).toEqual(results(["item.0", "item.1.2"]));
  expect(play.failed).toEqual({ "item.1": "model_failed", "item.1.1": "model_failed" });
});

test("best effort: a final failure yields null, is named, and is not retried", async () => {
  const say = (request: ModelRequest): Line => (itemOf(request) === "b" ? broken(false) : "ok");
  const play = stage(inputWith({}, ["a", "b", "c"]), { model: say });

  expect(await play.play()).toEqual(results(["ok", null, "ok"], [{ index: 1, code: "model_failed" }]));
  expect(play.requests.filter((request) => itemOf(request) === "b")).toHaveLength(1);
});

test("fail fast: the first failure stops the others and is not retried as a whole", async () => {
  const say = (request: ModelRequest): Line => {
    if (itemOf(request) === "b") return broken(false);

    return { calls: [{ id: "c", name: "nothing__there", input: {} }] };
  };
  const play = stage(inputWith({ error_strategy: "fail_fast", max_concurrency: 2 }, ["a", "b", "c", "d"]), { model: say });

  expect(await play.play()).toMatchObject({ type: "failure", code: "model_failed", retryable: false, detail: "Item 1: broken" });
  expect(play.requests.filter(({ task }) => task === "item.0").length).toBeLessThan(5);
  expect(play.requests.some(({ task }) => task === "item.3")).toBe(false);
});

test("a spent budget ends the map, best effort or not, without failing the item", async () => {
  const input = inputWith({ max_concurrency: 1 }, ["a", "b"]);
  const { gateways, failed } = stage(input, {});
  const poor = { ...gateways, models: { generate: async () => toRefused("token_budget") } };

  expect(await mapExecutor(input, poor, new AbortController().signal)).toMatchObject({ code: "token_budget", retryable: false });
  expect(failed).toEqual({});
});

test("a resumed map does not retry lost items", async () => {
  const input = inputWith({}, ["a", "b"]);
  const play = stage({ ...input, failedTasks: { "item.0.2": "model_failed" } }, { model: ({ task }) => task });

  expect(await play.play()).toEqual(results([null, "item.1"], [{ index: 0, code: "model_failed" }]));
  expect(play.requests.map(({ task }) => task)).toEqual(["item.1"]);
});

test("loses an item that exceeds its worker's timeout, and ends its retry wait", async () => {
  const worker = agentWorker({ backoff_ms: 3_600_000, timeout_ms: 100 });
  const play = stage(inputWith({}, ["a"], worker), { model: () => broken(true) });

  expect(await play.play()).toEqual(results([null], [{ index: 0, code: "item_timeout" }]));
  expect(play.failed).toEqual({ "item.0": "model_failed", "item.0.2": "item_timeout" });
});

test("waits as long as the provider asks", async () => {
  const say = (): never => {
    throw new ModelError("model_rate_limited", true, "wait", { retryAfterMs: 3_600_000, billed: "no" });
  };
  const play = stage(inputWith({}, ["a"], agentWorker({ timeout_ms: 100 })), { model: say });

  expect(await play.play()).toEqual(results([null], [{ index: 0, code: "item_timeout" }]));
  expect(play.requests).toHaveLength(1);
});

test("cancellation ends an item's wait", async () => {
  const cancel = new AbortController();
  const reason = new Error("cancelled");
  const worker = agentWorker({ backoff_ms: 3_600_000 });
  const input = inputWith({}, ["a"], worker);
  const play = stage(input, {
    model: () => {
      setImmediate(() => cancel.abort(reason));

      return broken(true);
    },
  });

  await expect(play.play(cancel.signal)).rejects.toBe(reason);
});

test("maps tool arguments per item and keeps a hostile worker's calls within its task", async () => {
  const play = stage(inputWith({}, [{ email: "a@x.example" }, { email: "b@x.example" }], toolWorker), {
    tool: ({ arguments: args }) => ({ status: "ok", result: args }),
  });

  expect(await play.play()).toEqual(results([{ email: "a@x.example" }, { email: "b@x.example" }]));
  expect(play.calls.map(({ task, call_id, server, tool }) => [task, call_id, server, tool])).toEqual([
    ["item.0", "call", "customers", "find_customer"],
    ["item.1", "call", "customers", "find_customer"],
  ]);
});

test("refuses a worker's own writes as an unknown tool", async () => {
  const say = ({ step }: ModelRequest): Line =>
    step === 0
      ? {
          calls: [
            { id: "a", name: "save_to_memory", input: { results: "forged" } },
            { id: "b", name: "handoff", input: { node: "pay" } },
          ],
        }
      : "done";
  const play = stage(inputWith({}, ["a"]), { model: say, tool: () => toRefused("tool_not_granted") });

  expect(await play.play()).toEqual(results(["done"]));
  expect(play.actions).toEqual([]);
  expect(play.calls.map(({ task, tool }) => [task, tool])).toEqual([
    ["item.0", "save_to_memory"],
    ["item.0", "handoff"],
  ]);
});

test("a transform computes each item: one value as itself, several as an object", async () => {
  const one = transformWorker([{ path: "x", value: "item * 2.0" }]);
  expect(await stage(inputWith({}, [1, "text", 3], one), {}).play()).toEqual(
    results([2, null, 6], [{ index: 1, code: "expression_failed" }]),
  );

  const two = transformWorker([
    { path: "x", value: "item" },
    { path: "y", value: "item + 1.0" },
  ]);
  expect(await stage(inputWith({}, [1], two), {}).play()).toEqual(results([{ x: 1, y: 2 }]));
});

test("writes a synthesizer's answer", async () => {
  const say = (request: ModelRequest): Line => (request.task === "synthesizer" ? "summary" : `done ${JSON.stringify(itemOf(request))}`);
  const play = stage(inputWith({ synthesizer: { agent_id: "editor" } }, ["a"]), { model: say });

  expect(await play.play()).toMatchObject({ actions: [{ updates: [{ path: "results", value: "summary" }, { path: "errors" }] }] });
  const asked = play.requests.find(({ task }) => task === "synthesizer");
  expect(asked && shown(asked, "task")).toEqual({ results: ['done "a"'], errors: [] });
});
