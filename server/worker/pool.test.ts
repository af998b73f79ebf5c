/** Real worker processes, and a misbehaving one. */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundlePrograms } from "@/bin/bundle";
import type { JsonObject } from "@/lib/json";
import { Suspended, WorkerLost, type ExecutorInput, type Gateways, type NodeWork, type ToolAnswer } from "@/server/executors/contract";
import { findNode, stage, stageInput } from "@/server/executors/testing/stage";
import { POOL_TIMES } from "@/server/ipc/process-pool";
import { ModelError } from "@/server/models/contract";
import { startFake } from "@/server/models/testing/fake";
import { describeChat } from "@/server/models/testing/openai-fake";
import { requestFor } from "@/server/models/testing/requests";
import { probeIsolation } from "@/server/sandbox/probe";
import { createWorkerPool, type WorkerPool } from "@/server/worker/pool";
import { startWorker, createWorkerSandbox } from "@/server/worker/start";

const root = process.cwd();
const never = new AbortController().signal;
let home = "";
let hasSandbox = false;
const pools = new Map<string, WorkerPool>();

beforeAll(async () => {
  home = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "countersign-worker-")));
  const build = path.join(home, "build");
  await fs.mkdir(build);
  await fs.symlink(path.join(root, "node_modules"), path.join(build, "node_modules"));
  const entries = { worker: "./server/worker/main.ts", misbehaving: "./server/worker/testing/misbehaving.ts" };
  await bundlePrograms({ root, outdir: build, entries });
  hasSandbox = (await probeIsolation(root, path.join(home, "scratch"))).holds.length > 0;
}, 60_000);
afterAll(async () => {
  await Promise.all([...pools.values()].map((pool) => pool.close()));
  await fs.rm(home, { recursive: true });
});

const open = (name: "worker" | "misbehaving"): WorkerPool => {
  const known = pools.get(name);
  if (known) return known;
  const place = { root, home, program: path.join(home, "build", `${name}.mjs`) };
  const pool = createWorkerPool({
    start: () => startWorker(place, {}, createWorkerSandbox(place, null, hasSandbox)),
    maxProcesses: 4,
    times: { ...POOL_TIMES, pingEveryMs: 50, silentMs: 2_000 },
  });
  pools.set(name, pool);

  return pool;
};

const TOOL = {
  kind: "tool",
  read_keys: ["mail"],
  write_keys: ["answer"],
  config: { server: "s", tool: "t", arguments: { id: { value: 1 } } },
};

const workOf = (changes: Partial<ExecutorInput> = {}, view: JsonObject = {}): NodeWork => ({
  kind: "node",
  input: stageInput(findNode(TOOL), view, [], changes),
});

const cast = (tool: () => Promise<ToolAnswer>): Gateways => {
  const { gateways } = stage(workOf().input, {});

  return { ...gateways, tools: { call: tool } };
};
const answering = () => cast(async () => ({ status: "ok", result: 7 }));
const failing = (error: Error) =>
  cast(async () => {
    throw error;
  });

describe("the worker", () => {
  it("executes a node through the control plane's gateways", async () => {
    expect(await open("worker").execute(workOf(), answering(), never)).toEqual({
      type: "result",
      actions: [{ type: "update_memory", updates: [{ path: "answer", value: 7 }] }],
    });
  });

  it("forwards suspensions and model failures", async () => {
    const pool = open("worker");
    await expect(pool.execute(workOf(), failing(new Suspended()), never)).rejects.toBeInstanceOf(Suspended);
    const failure = new ModelError("model_rate_limited", true, "wait", { retryAfterMs: 12, billed: "no" });
    await expect(pool.execute(workOf(), failing(failure), never)).rejects.toEqual(failure);
  });

  it("preserves a control plane fault as thrown", async () => {
    const fault = new TypeError("the lease is lost");
    await expect(open("worker").execute(workOf(), failing(fault), never)).rejects.toBe(fault);
  });

  it("gets a model's address and key with the call, not from its environment", async () => {
    const fake = await startFake(() => ({ body: describeChat("yes") }));
    try {
      const provider = { type: "http", kind: "openai-compatible", name: "ours", baseUrl: fake.url, key: "sk-1", guard: null } as const;
      const call = { provider, modelId: "small", request: requestFor("ours:small") };
      const answer = await open("worker").callModel("w", call, never);
      expect(answer).toEqual({
        text: "yes",
        tool_calls: [],
        tokens: { input: 100, cacheRead: 64, cacheWrite: 0, output: 20, reasoning: 0 },
        answeredBy: "fake",
        finish: "stop",
      });
      expect(fake.sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer sk-1"]);
    } finally {
      await fake.close();
    }
  });

  it("applies the call's own egress policy", async () => {
    const provider = {
      type: "http",
      kind: "openai-compatible",
      name: "ours",
      baseUrl: "http://169.254.169.254/v1",
      key: null,
      guard: { allowOrigins: [] },
    } as const;
    const call = { provider, modelId: "small", request: requestFor("ours:small") };
    await expect(open("worker").callModel("w", call, never)).rejects.toMatchObject({ code: "model_unusable", billed: "no" });
  });

  it("plays scripted models", async () => {
    const provider = { type: "scripted", persona: "honest" } as const;
    const call = { provider, modelId: "honest", request: requestFor("scripted:honest", { agent: "unknown" }) };
    expect((await open("worker").callModel("w", call, never)).text).not.toBe("");
  });

  it("aborts a call with its reason", async () => {
    const fake = await startFake(() => ({ hang: true }));
    try {
      const provider = { type: "http", kind: "openai-compatible", name: "ours", baseUrl: fake.url, key: null, guard: null } as const;
      const controller = new AbortController();
      const call = open("worker").callModel("w", { provider, modelId: "m", request: requestFor("ours:m") }, controller.signal);
      const failure = call.catch((error: unknown) => error);
      await expect.poll(() => fake.sent.length, { timeout: 10_000 }).toBe(1);
      controller.abort(new Error("given up"));
      expect(await failure).toEqual(new Error("given up"));
    } finally {
      await fake.close();
    }
  });
});

describe("a misbehaving worker", () => {
  const act = (pool: WorkerPool, goal: string, gateways = answering(), signal = never, workspace = "w") =>
    pool.execute(workOf({ goal, workspace }), gateways, signal);

  it.each([
    "use a guessed id",
    "say that it is suspended",
    "hang",
    "crash",
    "answer with another form",
    "answer a call that was not made",
    "nest a value deeply",
  ])("fails its attempt and is replaced, without affecting a neighbour: %s", async (goal) => {
    const pool = open("misbehaving");
    await act(pool, "finish", answering(), never, "neighbour");
    // The last one used.
    const neighbour = pool.pids().at(-1);
    await expect(act(pool, goal)).rejects.toBeInstanceOf(WorkerLost);
    expect(pool.pids()).toContain(neighbour);
    expect(await act(pool, "finish")).toEqual({ type: "result", actions: [] });
  });

  it("is closed over an ended execution's id", async () => {
    const pool = open("misbehaving");
    expect(await act(pool, "use an ended id")).toEqual({ type: "result", actions: [] });
    await expect(act(pool, "use an ended id")).rejects.toBeInstanceOf(WorkerLost);
  });

  it("is closed over another workspace's running execution id", async () => {
    const pool = open("misbehaving");
    const called = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<ToolAnswer>();
    let calls = 0;
    const theirs = cast(() => {
      calls += 1;
      called.resolve();

      return answer.promise;
    });
    const running = act(pool, "call a tool", theirs, never, "other");
    await called.promise;
    const told = await act(pool, "tell the id before", answering(), never, "other");
    const id = told.type === "failure" ? told.code : "";
    await expect(act(pool, `call a tool: ${id}`)).rejects.toBeInstanceOf(WorkerLost);
    expect(calls).toBe(1);
    answer.resolve({ status: "ok", result: 1 });
    expect(await running).toEqual({ type: "result", actions: [] });
  });

  it("sees a control plane fault only as a failed call", async () => {
    const pool = open("misbehaving");
    const fault = new Error("the database's password is 123");
    await expect(act(pool, "call a tool", failing(fault))).rejects.toBe(fault);
  });

  it("has its own errors reduced to plain errors", async () => {
    const error = await act(open("misbehaving"), "throw an error").catch((each: unknown) => each);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain("secret");
  });

  it("is ended when it ignores the end of its attempt", async () => {
    const pool = open("misbehaving");
    const before = new Set(pool.pids());
    const controller = new AbortController();
    const attempt = act(pool, "ignore the end of its attempt", answering(), controller.signal, "ignoring");
    const failure = attempt.catch((error: unknown) => error);
    await act(pool, "finish", answering(), never, "ignoring");
    const ignoring = pool.pids().filter((pid) => !before.has(pid));
    expect(ignoring).toHaveLength(1);
    controller.abort(new Error("over"));
    expect(await failure).toBeInstanceOf(WorkerLost);
    expect(pool.pids()).not.toContain(ignoring[0]);
  }, 30_000);

  it("leaves a model call as possibly billed", async () => {
    const pool = open("misbehaving");
    const provider = { type: "scripted", persona: "honest" } as const;
    const call = pool.callModel("w", { provider, modelId: "honest", request: requestFor("scripted:honest") }, never);
    const failure = call.catch((error: unknown) => error);
    await expect(act(pool, "crash")).rejects.toBeInstanceOf(WorkerLost);
    expect(await failure).toMatchObject({ code: "model_failed", billed: "maybe" });
  });
});
