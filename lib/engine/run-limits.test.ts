import { describe, expect, it } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";
import type { GraphInput } from "@/lib/graph/document";
import { commandBodySchema } from "@/lib/engine/proposal";
import { eventSchema } from "@/lib/engine/events/catalogue";
import type { RunLimits } from "@/lib/engine/run-limits";
import { child, END, step, using, version } from "@/lib/engine/testing/kinds";
import { FORKER, forkOf } from "@/lib/engine/testing/fork";
import { getCode, engine, newRun, result, startBody, STARTER, user, type TestRun } from "@/lib/engine/testing/run";
import { ask, reserve } from "@/lib/engine/testing/work";
import { buildWorkflowState } from "@/lib/engine/workflow-state";

type Limits = Pick<GraphInput, "max_token_budget" | "budget_usd">;

const AGENT: GraphInput["nodes"][number] = { id: "a", kind: "agent", write_keys: ["out"], config: { agent_id: "plain" } };
const usage = (tokens: number, cost = 0) => ({
  usage: { model: "m", input_tokens: tokens, output_tokens: 0, cost_micro_usd: cost, price_source: "t" },
});
const wants = (run: TestRun, { tokens, cost = 0 }: { tokens: number; cost?: number }) =>
  getCode(run.work({ kind: "model_intent", task: "", tokens, cost_micro_usd: cost }));

const limited = (limits: RunLimits | undefined, graph: Limits = {}, nodes = [AGENT, END]): TestRun => {
  const published = version(nodes, graph);
  const run = newRun(published);
  run.propose(user(STARTER, "builder"), { ...startBody(published), ...(limits ? { limits } : {}) });
  run.propose(engine, { kind: "begin" });

  return run;
};

describe("the limits of one run", () => {
  it.each([
    ["tokens", { max_token_budget: 10 }, { max_token_budget: 100 }, { tokens: 10 }, { tokens: 11 }, "token_budget"],
    ["tokens of a version without a limit", { max_token_budget: 10 }, {}, { tokens: 10 }, { tokens: 11 }, "token_budget"],
    ["money", { budget_micro_usd: 10 }, { budget_usd: 0.0001 }, { tokens: 1, cost: 10 }, { tokens: 1, cost: 11 }, "cost_budget"],
    ["money of a version without a limit", { budget_micro_usd: 10 }, {}, { tokens: 1, cost: 10 }, { tokens: 1, cost: 11 }, "cost_budget"],
    ["no money at all", { budget_micro_usd: 0 }, { budget_usd: 1 }, { tokens: 1 }, { tokens: 1, cost: 1 }, "cost_budget"],
  ] as const)("apply to %s exactly", (_what, limits, graph, within, beyond, code) => {
    expect(wants(limited(limits, graph), beyond)).toBe(code);
    expect(wants(limited(limits, graph), within)).toBe("accepted");
  });

  it("of no tokens allow no call", () => {
    expect(wants(limited({ max_token_budget: 0 }, { max_token_budget: 100 }), { tokens: 1 })).toBe("token_budget");
  });

  it.each([
    ["tokens", { max_token_budget: 101 }, { max_token_budget: 100 }],
    ["money", { budget_micro_usd: 101 }, { budget_usd: 0.0001 }],
    ["tokens, however little money", { max_token_budget: 101, budget_micro_usd: 1 }, { max_token_budget: 100 }],
  ])("are refused above the version's %s, and nothing runs", (_what, limits, graph) => {
    const run = limited(limits, graph);
    expect(run.records()[0]?.record.refusal?.code).toBe("limits_exceeded");
    expect(run.state()).toMatchObject({ start: null, status: "pending" });
  });

  it("equal to the version's are accepted", () => {
    expect(limited({ max_token_budget: 100, budget_micro_usd: 100 }, { max_token_budget: 100, budget_usd: 0.0001 }).state().status).toBe(
      "running",
    );
  });

  it("are in record and state; others are the version's", () => {
    const run = limited({ max_token_budget: 10 }, { max_token_budget: 100, budget_usd: 0.5 });
    expect(run.state().start).toMatchObject({
      max_token_budget: 10,
      budget_micro_usd: 500_000,
      limits: { max_token_budget: 10 },
    });
    const records = run.records().map(({ record }) => record);
    expect(buildWorkflowState(run.published, records, run.state(), 0)).toMatchObject({ max_token_budget: 10, budget_usd: 0.5 });
  });

  it("leave no trace when absent, so start records are unchanged", () => {
    for (const limits of [undefined, {}]) expect(limited(limits, { max_token_budget: 100 }).state().start).not.toHaveProperty("limits");
    const { limits: _none, ...before } = limited({ max_token_budget: 1 }).state().start ?? { limits: {} };
    expect(eventSchema.safeParse(before).success).toBe(true);
  });

  it("report thresholds of the narrower limit", () => {
    const run = limited({ max_token_budget: 10 }, { max_token_budget: 1_000 });
    ask(run, "", usage(5));
    expect(run.state().thresholds).toEqual(["run:tokens:50"]);
  });

  it("apply in subgraphs with higher limits too", () => {
    const inner = version([AGENT, step("z")], { max_token_budget: 500 });
    const published = version([using("s", "c"), END], { max_token_budget: 1_000 }, { subgraphs: [child("c", inner)] });
    const run = newRun(published);
    run.propose(user(STARTER, "builder"), { ...startBody(published), limits: { max_token_budget: 10 } });
    run.propose(engine, { kind: "begin" });
    run.work(result());
    expect(wants(run, { tokens: 11 })).toBe("token_budget");
    expect(reserve(run, "", 10)).not.toBe("");
  });

  it("are valid budget numbers", () => {
    const { author: _looked, ...body } = startBody(version([AGENT, END]));
    const parses = (limits: unknown) => commandBodySchema.safeParse({ ...body, limits }).success;
    expect(parses({ max_token_budget: 0, budget_micro_usd: 0 })).toBe(true);
    for (const wrong of [{ max_token_budget: -1 }, { max_token_budget: 0.5 }, { budget_micro_usd: Infinity }, { max_steps: 1 }, null])
      expect(parses(wrong)).toBe(false);
  });
});

describe("a fork", () => {
  const parent = () => {
    const run = limited({ max_token_budget: 10 }, { max_token_budget: 100 });
    ask(run, "", usage(7));

    return run;
  };

  it.each([
    ["in the middle", 2],
    ["at the start", 0],
  ])("%s keeps its parent's limits, and counts from zero", (_where, seq) => {
    const run = parent();
    const fork = forkOf(run, seq, { type: "none" }, { body: seq === 0 ? { start: startOf(run) } : {} });
    expect(fork.state().start).toMatchObject({ max_token_budget: 10, limits: { max_token_budget: 10 } });
    expect(fork.state().totalTokens).toBe(0);
  });

  it.each([
    ["in the middle", 2],
    ["at the start", 0],
  ])("%s to a version with lower limits is clamped to them", (_where, seq) => {
    const run = parent();
    const poorer = version([AGENT, END], { max_token_budget: 3 });
    const change = { type: "version", graph_hash: "f".repeat(64) } as const;
    const fork = forkOf(run, seq, change, { version: poorer, body: seq === 0 ? { start: startOf(run) } : {} });
    expect(getCode(fork.verdict)).toBe("accepted");
    expect(fork.state().start?.max_token_budget).toBe(3);
  });

  it("of a run without limits has its own version's", () => {
    const run = limited(undefined, { max_token_budget: 3 });
    const richer = version([AGENT, END], { max_token_budget: 100 });
    const fork = forkOf(run, 2, { type: "version", graph_hash: "f".repeat(64) }, { version: richer, by: user(FORKER, "builder") });
    expect(fork.state().start?.max_token_budget).toBe(100);
  });

  const startOf = (run: TestRun) => {
    const { kind: _kind, graph_hash: _hash, author: _author, ...start } = startBody(run.published);

    return { ...start, limits: run.state().start?.limits };
  };
});

it("limits are part of the request, like the goal", () => {
  const digest = (limits: RunLimits) => limited(limits).records()[0]?.record.proposal_digest;
  expect(digest({ max_token_budget: 1 })).not.toBe(digest({ max_token_budget: 2 }));
  expect(toCanonicalJson((limited({ max_token_budget: 1 }).records()[0]?.record.control ?? []) as Json)).toContain('"max_token_budget":1');
});
