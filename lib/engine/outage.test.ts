import { describe, expect, it } from "vitest";
import { listModels } from "@/lib/engine/fallback";
import { plan } from "@/lib/engine/plan";
import { describeOutage, formatWait, type OutageCause } from "@/lib/engine/outage-causes";
import { publishWith } from "@/lib/engine/testing/graph";
import { atParse, engine, executor, getCode, REVIEWER, STARTER, user, type TestRun } from "@/lib/engine/testing/run";
import { ask, createFailure, reserve } from "@/lib/engine/testing/work";
import { collectThreads } from "@/lib/engine/thread-of";

const MINUTE_MS = 60_000;

const wait = (run: TestRun, change: object = {}) =>
  getCode(
    run.work({
      kind: "outage",
      provider: "openai",
      cause: "rate_limited" satisfies OutageCause,
      code: "model_rate_limited",
      detail: "The model's provider asks to wait.",
      jitter: 1,
      retry_after_ms: null,
      ...change,
    }),
  );

const leftMs = (run: TestRun) => (run.state().retryAt ?? 0) - run.now();

const again = (run: TestRun) => {
  run.pass(leftMs(run));
  expect(getCode(run.propose(engine, { kind: "retry" }))).toBe("accepted");
};

describe("an outage", () => {
  it("puts the run into retrying, with back-off and the provider's delay as the least", () => {
    const run = atParse();
    expect(wait(run)).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "retrying", currentNode: "parse", outage: { provider: "openai", cause: "rate_limited" } });
    const waits = [leftMs(run)];
    for (const change of [{}, {}, { retry_after_ms: 45_000 }, {}, {}, {}, {}]) {
      again(run);
      wait(run, change);
      waits.push(leftMs(run));
    }

    expect(waits).toEqual([1_000, 2_000, 4_000, 45_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("counts as no failed attempt, so the conversation goes on where it was", () => {
    const run = atParse();
    ask(run, "", { text: "first words" });
    const before = collectThreads(run.state());
    for (const _ of Array.from({ length: 5 })) {
      wait(run);
      again(run);
    }

    expect(run.state()).toMatchObject({ status: "running", retryCount: 0, currentNode: "parse" });
    expect(collectThreads(run.state())).toEqual(before);
    run.work(createFailure("model_failed", { retryable: true }));
    expect(run.state()).toMatchObject({ status: "retrying", retryCount: 1, outage: null });
  });

  it("is over once a model answered, and the next one has the whole limit again", () => {
    const run = atParse();
    wait(run);
    again(run);
    run.pass(10 * MINUTE_MS);
    ask(run);
    expect(run.state().outage).toBeNull();
    run.pass(10 * MINUTE_MS);
    wait(run);

    expect(run.state().status).toBe("retrying");
  });

  it("fails the node for good after 15 minutes, or as long as the graph says; the last attempt is at the limit", () => {
    for (const [graph, limitMs] of [
      [publishWith(), 15 * MINUTE_MS],
      [publishWith({ max_outage_ms: 90_000 }), 90_000],
    ] as const) {
      const run = atParse(graph);
      const from = run.now();
      wait(run, { retry_after_ms: 3_600_000 });
      expect(leftMs(run)).toBe(limitMs);
      again(run);
      expect(run.now() - from).toBe(limitMs);
      wait(run);

      expect(run.state()).toMatchObject({ status: "failed", endReason: "model_outage" });
    }
  });

  it("is an ordinary failed attempt in a graph that does not wait", () => {
    const run = atParse(publishWith({ max_outage_ms: 0 }));
    wait(run, { retry_after_ms: 5_000 });

    expect(run.state()).toMatchObject({ status: "retrying", retryCount: 1, outage: null, lastError: { code: "model_rate_limited" } });
  });

  it("does not wait beyond the run's time limit", () => {
    const run = atParse(publishWith({ max_execution_time_ms: 30_000 }));
    wait(run, { retry_after_ms: MINUTE_MS });

    expect(leftMs(run)).toBe(30_000);
  });

  it("releases nothing and gives back nothing: another task's answer is recorded while the run waits", () => {
    const run = atParse();
    const id = reserve(run);
    wait(run);
    const answered = run.work({
      kind: "model_call",
      task: "",
      reservation_id: id,
      step: 0,
      fresh: [],
      text: "late but good",
      tool_calls: [],
      usage: { model: "m", input_tokens: 1, output_tokens: 1, cost_micro_usd: 1, price_source: "test" },
    });

    expect(getCode(answered)).toBe("accepted");
    expect(run.state().status).toBe("retrying");
    expect(wait(run)).toBe("node_not_active");
  });

  it("is proposed by the node's executor alone", () => {
    const run = atParse();
    const body = { kind: "outage", activation: run.state().activation ?? 0, task: "", provider: "x", cause: "failing" } as const;
    const more = { code: "model_failed", detail: "", jitter: 0, retry_after_ms: null };
    for (const principal of [engine, user(STARTER, "builder"), executor("fetch")])
      expect(getCode(run.propose(principal, { ...body, ...more }))).not.toBe("accepted");
    expect(run.state().status).toBe("running");
  });

  it("waits without proposals until it is due", () => {
    const run = atParse();
    wait(run);
    const until = run.state().retryAt ?? 0;

    expect(plan(run.published, run.state(), until - 1, 1)).toEqual({ type: "wait", until });
    expect(plan(run.published, run.state(), until, 2)).toEqual({ type: "propose", body: { kind: "retry" } });
  });
});

describe("trying now", () => {
  it("ends the wait, for who may start runs", () => {
    const run = atParse();
    wait(run, { retry_after_ms: 600_000 });
    expect(getCode(run.propose(user(REVIEWER), { kind: "retry_now" }))).toBe("principal_not_allowed");
    expect(getCode(run.propose(executor("parse"), { kind: "retry_now" }))).toBe("principal_not_allowed");
    expect(run.state().status).toBe("retrying");

    expect(getCode(run.propose(user(STARTER, "builder"), { kind: "retry_now" }))).toBe("accepted");
    expect(run.state()).toMatchObject({ status: "running", currentNode: "parse" });
    expect(getCode(run.propose(user(STARTER, "builder"), { kind: "retry_now" }))).toBe("version_conflict");
  });

  it("does not lengthen the limit", () => {
    const run = atParse();
    wait(run);
    run.pass(15 * MINUTE_MS);
    run.propose(user(STARTER, "builder"), { kind: "retry_now" });
    wait(run);

    expect(run.state().status).toBe("failed");
  });
});

it("names the provider, what is wrong and the wait", () => {
  expect(describeOutage({ provider: "openai", cause: "rate_limited" })).toBe("OpenAI is rate limited");
  expect(describeOutage({ provider: "ours", cause: "unreachable" })).toBe("ours cannot be reached");
  expect([40_000, 119_000, 119_001, 120_001, 900_000].map(formatWait)).toEqual(["40 s", "119 s", "2 min", "3 min", "15 min"]);
});

it("asks the fallback after the agent's own model", () => {
  const run = atParse();
  const agent = run.published.agents[0] ?? null;
  if (!agent) throw new Error("no agent");

  expect(listModels(run.state(), { ...agent, model: "default", fallback: "b:2" }, "")).toEqual(["scripted", "b:2"]);
  expect(listModels(run.state(), { ...agent, model: "a:1", fallback: "a:1" }, "")).toEqual(["a:1"]);
  expect(listModels(run.state(), { ...agent, model: "a:1" }, "")).toEqual(["a:1"]);
});
