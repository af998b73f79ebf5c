import { describe, expect, it } from "vitest";
import { edgesWith, nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  atTriage,
  call,
  getCode,
  decideAs,
  engine,
  executor,
  intent,
  result,
  REVIEWER,
  settle,
  started,
  STARTER,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { ask } from "@/lib/engine/testing/work";

const SMALL = publishWith();
const reviewer = user(REVIEWER);

describe("an executor", () => {
  it("cannot pass an approval node without opening its gate", () => {
    const run = atTriage();
    run.work(result());
    expect(run.state().currentNode).toBe("ask");
    expect(getCode(run.work(result()))).toBe("action_not_granted");
    expect(getCode(run.work(result(update("result", 1))))).toBe("action_not_granted");
    expect(run.state().currentNode).toBe("ask");
  });

  it("cannot record a tool's answer before the tool answered", () => {
    const run = started(SMALL);
    expect(getCode(run.work(result(update("mail", { text: "made up" }))))).toBe("effect_unknown");
    run.work(intent("docs", "read", { topic: "plans" }));
    expect(getCode(run.work(result(update("mail", { text: "made up" }))))).toBe("effect_unknown");
  });

  it("cannot call a tool node's tool with arguments other than the mapped ones", () => {
    expect(getCode(started(SMALL).work(intent("docs", "read", { topic: "other" })))).toBe("arguments_invalid");
  });

  it("cannot settle another node's effect", () => {
    const run = started(SMALL);
    run.work(intent("docs", "read", { topic: "plans" }));
    const [effect] = Object.keys(run.state().effects);
    expect(getCode(run.propose(executor("parse"), { kind: "effect_outcome", effect_id: effect ?? "", outcome: "ok", result: 1 }))).toBe(
      "principal_not_allowed",
    );
  });

  it("cannot change anything after its lease expired or its run ended", () => {
    const run = started(SMALL);
    run.work(intent("docs", "read", { topic: "plans" }));
    run.propose(user(STARTER, "builder"), { kind: "cancel" });
    expect(getCode(settle(run, { text: "late" }))).toBe("late_result");
    expect(run.state().status).toBe("cancelled");
  });
});

describe("an outcome", () => {
  it.each([
    ["is no JSON", Number.NaN, "not_plain_json"],
    ["has half a character", "\ud800", "not_plain_json"],
    ["is nested without end", Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 1), "value_too_deep"],
  ])("with %s missing is recorded and counts", (_what, value, fault) => {
    const run = started(SMALL);
    run.work(intent("docs", "read", { topic: "plans" }));
    expect(getCode(settle(run, value as never))).toBe("accepted");
    expect(Object.values(run.state().effects)[0]?.outcome).toBe("ok");
    expect(run.state().aside.at(-1)?.content).toEqual({ known: true, value: { unrepresentable: fault } });
  });

  it("is recorded once", () => {
    const run = started(SMALL);
    call(run, "docs", "read", { topic: "plans" }, { text: "one" });
    expect(getCode(settle(run, { text: "two" }))).toBe("effect_unknown");
  });
});

describe("an error", () => {
  const fail = (code: string, retryable = false, change: object = {}) => ({
    kind: "node_failure" as const,
    code,
    retryable,
    detail: "cut \ud83d",
    jitter: 0.5,
    retry_after_ms: null,
    ...change,
  });

  const again = (run: TestRun, ms: number) => {
    run.pass(ms);
    expect(getCode(run.propose(engine, { kind: "retry" }))).toBe("accepted");
  };

  it("takes the error edge, or the timeout edge after a timeout, and ends the run without either", () => {
    const failed = started(SMALL);
    failed.work(fail("tool_error"));
    expect(failed.state().currentNode).toBe("rescue");
    const late = started(SMALL);
    late.work(fail("node_timeout"));
    expect(late.state().currentNode).toBe("decline");
    const ended = atParse();
    ended.work(fail("model_failed"));
    expect(ended.state()).toMatchObject({ status: "failed", currentNode: null });
  });

  it("is retried as often as the policy says, and not sooner", () => {
    const run = started(SMALL);
    run.work(fail("tool_error", true));
    expect(run.state()).toMatchObject({ status: "retrying", currentNode: "fetch", retryAt: run.now() + 100 });
    run.pass(99);
    expect(getCode(run.propose(engine, { kind: "retry" }))).toBe("version_conflict");
    expect(getCode(run.work(intent("docs", "read", { topic: "plans" })))).toBe("node_not_active");
    expect(getCode(run.work(fail("tool_error")))).toBe("node_not_active");
    again(run, 1);
    run.work(fail("tool_error", true, { retry_after_ms: 5_000 }));
    expect(run.state().retryAt).toBe(run.now() + 5_000);
    again(run, 5_000);
    run.work(fail("tool_error", true));
    expect(run.state().currentNode).toBe("rescue");
  });

  it.each([
    ["fixed", [1_000, 1_000]],
    ["linear", [1_000, 2_000]],
    ["exponential", [500, 1_000]],
  ] as const)("is retried after %s backoff", (backoff, waits) => {
    const run = started(publishWith({ nodes: nodesWith("fetch", { failure_policy: { attempts: 3, backoff, backoff_ms: 1_000 } }) }));
    for (const wait of waits) {
      run.work(fail("tool_error", true));
      expect(run.state().retryAt).toBe(run.now() + wait);
      again(run, wait);
    }
  });

  it("never backs off longer than the run's time limit, whatever a server asks for", () => {
    const run = started(SMALL);
    run.work(fail("tool_error", true, { retry_after_ms: Number.MAX_SAFE_INTEGER }));
    expect(run.state().retryAt).toBe(run.now() + 3_600_000);
  });

  it("in a condition is not false: takes the error edge, never the default edge", () => {
    const edges = [
      ...(edgesWith("free", { condition: "memory.request.missing > 1" }) ?? []),
      { id: "broken", source: "triage", target: "rescue", kind: "error" as const },
    ];
    const run = atTriage(publishWith({ edges }));
    run.work(result());
    expect(run.state().currentNode).toBe("rescue");
    const without = atTriage(publishWith({ edges: edgesWith("free", { condition: "memory.request.missing > 1" }) }));
    without.work(result());
    expect(without.state()).toMatchObject({ status: "failed" });
  });
});

describe("limits", () => {
  const toEnd = (run: TestRun) => {
    run.work(result(update("result", "declined")));

    return run.state().status;
  };

  it("of N iterations allow exactly N", () => {
    const enough = atTriage(publishWith({ max_iterations: 4 }), "free");
    enough.work(result());
    expect(toEnd(enough)).toBe("completed");
    const short = atTriage(publishWith({ max_iterations: 3 }), "free");
    short.work(result());
    expect(toEnd(short)).toBe("running");
    expect(getCode(short.propose(engine, { kind: "stop", limit: "iteration_limit" }))).toBe("accepted");
    expect(short.state().status).toBe("failed");
  });

  it("cannot be invoked by the engine before they are reached", () => {
    expect(getCode(atParse().propose(engine, { kind: "stop", limit: "time_limit" }))).toBe("version_conflict");
  });

  it("of time exclude waits for people", () => {
    const run = atGate(publishWith({ max_execution_time_ms: 10_000 }));
    run.pass(3_600_000);
    expect(getCode(decideAs(run, reviewer))).toBe("accepted");
    expect(getCode(run.work(intent("crm", "update", { plan: "team" })))).toBe("accepted");
    run.pass(10_000);
    settle(run, "ok");
    expect(getCode(run.work(result(update("result", "ok"))))).toBe("time_limit");
  });

  it("of a budget count every call, and zero is zero", () => {
    const run = atParse(publishWith({ max_token_budget: 100, budget_usd: 0.001 }));
    const usage = { model: "m", input_tokens: 60, output_tokens: 30, cost_micro_usd: 900, price_source: "test" };
    ask(run, "", { usage });
    expect(run.state()).toMatchObject({ totalTokens: 90, costMicroUsd: 900 });
    expect(getCode(run.work({ kind: "model_intent", tokens: 11, cost_micro_usd: 0 }))).toBe("token_budget");
    expect(getCode(run.work({ kind: "model_intent", tokens: 10, cost_micro_usd: 101 }))).toBe("cost_budget");
    expect(getCode(run.work({ kind: "model_intent", tokens: 10, cost_micro_usd: 100 }))).toBe("accepted");
  });
});
