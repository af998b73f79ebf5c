import { describe, expect, it } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { plan } from "@/lib/engine/plan";
import { child, END, step, using, version } from "@/lib/engine/testing/kinds";
import { getCode, engine, result, started, STARTER, update, user, uuid, type TestRun } from "@/lib/engine/testing/run";
import { answer, ask, drive, createFailure, reserve } from "@/lib/engine/testing/work";

type NodeInput = GraphInput["nodes"][number];

const VOTING: NodeInput = {
  id: "v",
  kind: "voting",
  write_keys: ["out"],
  config: { voters: Array.from({ length: 5 }, () => ({ agent_id: "plain" })) },
};
const AGENT: NodeInput = { id: "a", kind: "agent", write_keys: ["out"], config: { agent_id: "plain" } };
const usage = (tokens: number, cost = 0) => ({
  usage: { model: "m", input_tokens: tokens, output_tokens: 0, cost_micro_usd: cost, price_source: "t" },
});
const wants = (run: TestRun, tokens: number, cost = 0, task = "") =>
  getCode(run.work({ kind: "model_intent", task, tokens, cost_micro_usd: cost }));
const told = (run: TestRun) =>
  run
    .records()
    .flatMap(({ record }) =>
      record.control.flatMap((event) => (event.type === "budget_threshold" ? [`${event.scope}:${event.measure}:${event.percent}`] : [])),
    );

describe("a budget [10]", () => {
  it("covers reserved plus spent, and no more", () => {
    const run = started(version([VOTING, END], { max_token_budget: 100 }));
    expect(wants(run, 60, 0, "voter.0")).toBe("accepted");
    expect(wants(run, 41, 0, "voter.1")).toBe("token_budget");
    expect(wants(run, 40, 0, "voter.1")).toBe("accepted");
    expect(wants(run, 1, 0, "voter.2")).toBe("token_budget");
  });

  it("returns the unspent part of a reservation", () => {
    const run = started(version([VOTING, END], { max_token_budget: 100 }));
    const reservation = reserve(run, "voter.0", 100);
    answer(run, reservation, "voter.0", usage(30));
    expect(run.state()).toMatchObject({ reservations: {}, totalTokens: 30, spent: { v: { tokens: 30 } } });
    expect(wants(run, 71, 0, "voter.1")).toBe("token_budget");
    expect(wants(run, 70, 0, "voter.1")).toBe("accepted");
  });

  it("is overrun by parallel calls at most by their reservations", () => {
    const run = started(version([VOTING, END], { max_token_budget: 100 }));
    const open = [0, 1, 2, 3, 4].map((index) => reserve(run, `voter.${index}`, 30)).filter((id) => id !== "");
    expect(open).toHaveLength(3);
    for (const [index, id] of open.entries()) answer(run, id, `voter.${index}`, usage(30));
    expect(run.state().totalTokens).toBe(90);
    expect(wants(run, 11, 0, "voter.3")).toBe("token_budget");
  });

  it.each([
    ["the run's tokens", { max_token_budget: 0 }, {}, "token_budget"],
    ["the run's money", { budget_usd: 0 }, {}, "cost_budget"],
    ["the node's tokens", {}, { budget: { max_tokens: 0 } }, "node_budget"],
    ["the node's money", {}, { budget: { max_cost_usd: 0 } }, "node_budget"],
  ])("of 0 for %s means zero, whatever the estimate", (what, graph, node, code) => {
    const run = started(version([{ ...AGENT, ...node }, END], graph));
    expect(wants(run, 1, 1)).toBe(code);
    // Every call uses tokens.
    expect(wants(run, 0, 0)).toBe(what.endsWith("tokens") ? code : "accepted");
  });

  it("of a node spans its visits and attempts, and no other node", () => {
    const nodes: NodeInput[] = [
      { ...AGENT, budget: { max_tokens: 50 } },
      { ...AGENT, id: "b" },
    ];
    const run = started(
      version(nodes, {
        edges: [
          { id: "x", source: "a", target: "b" },
          { id: "y", source: "b", target: "a" },
        ],
      }),
    );
    ask(run, "", usage(20));
    run.work(createFailure("model_failed", { retryable: true }));
    run.pass(120_000);
    drive(run);
    expect(wants(run, 31)).toBe("node_budget");
    ask(run, "", usage(20));
    run.work(result());
    expect(wants(run, 1_000)).toBe("accepted");
    run.work(result());
    expect(wants(run, 11)).toBe("node_budget");
    expect(wants(run, 10)).toBe("accepted");
  });

  it("applies to nodes named like prototype members", () => {
    for (const id of ["constructor", "toString", "valueOf", "hasOwnProperty"]) {
      const run = started(version([{ ...AGENT, id, budget: { max_tokens: 10 } }, END]));
      expect(wants(run, 11)).toBe("node_budget");
      ask(run, "", usage(10));
      expect(run.state().spent).toEqual({ [id]: { tokens: 10, costMicroUsd: 0 } });
      expect(wants(run, 1)).toBe("node_budget");
    }
  });

  it("of a subgraph applies besides the run's and cannot raise it", () => {
    const inner = version([AGENT, step("z")], { max_token_budget: 40 });
    const graph = (limit: number) =>
      version([AGENT, using("s", "c"), END], { max_token_budget: limit }, { subgraphs: [child("c", inner)] });
    const run = started(graph(1_000));
    ask(run, "", usage(500));
    run.work(result());
    run.work(result());
    expect(wants(run, 41)).toBe("token_budget");
    ask(run, "", usage(39));
    expect(wants(run, 2)).toBe("token_budget");
    expect(wants(run, 1)).toBe("accepted");
    expect(run.state().spent).toMatchObject({ a: { tokens: 500 }, "s/a": { tokens: 39 } });
    const poor = started(graph(510));
    ask(poor, "", usage(500));
    poor.work(result());
    poor.work(result());
    expect(wants(poor, 11)).toBe("token_budget");
  });

  it("reports each threshold once, per scope and measure", () => {
    const inner = version([{ ...AGENT, budget: { max_tokens: 40 } }, step("z")], { max_token_budget: 80 });
    const run = started(version([using("s", "c"), END], { max_token_budget: 100, budget_usd: 0.0001 }, { subgraphs: [child("c", inner)] }));
    run.work(result());
    ask(run, "", usage(19, 50));
    expect(told(run)).toEqual(["run:cost:50"]);
    ask(run, "", usage(1));
    expect(told(run)).toEqual(["run:cost:50", "s/a:tokens:50"]);
    const open = reserve(run, "", 10, 0);
    answer(run, open, "", usage(80, 50));
    expect(told(run).slice(2)).toEqual([
      ...[50, 75, 90, 100].map((percent) => `run:tokens:${percent}`),
      ...[75, 90, 100].map((percent) => `run:cost:${percent}`),
      ...[50, 75, 90, 100].map((percent) => `s:tokens:${percent}`),
      ...[75, 90, 100].map((percent) => `s/a:tokens:${percent}`),
    ]);
    expect(new Set(told(run)).size).toBe(told(run).length);
  });

  it("reports thresholds of unanswered calls too", () => {
    for (const end of [
      (run: TestRun, id: string) => run.work({ kind: "model_failure", reservation_id: id, billed: "maybe" }),
      (run: TestRun) => run.work(createFailure("model_failed", { retryable: true })),
    ]) {
      const run = started(version([AGENT, END], { max_token_budget: 10 }));
      end(run, reserve(run, "", 10));
      expect(run.state()).toMatchObject({ totalTokens: 10, reservations: {} });
      expect(told(run)).toEqual([50, 75, 90, 100].map((percent) => `run:tokens:${percent}`));
    }
  });

  it("reports an abandoned subgraph call under its key there", () => {
    const inner = version([{ ...AGENT, budget: { max_tokens: 10 } }], { max_execution_time_ms: 1_000 });
    const run = started(
      version(
        [using("s", "c"), END],
        { edges: [{ id: "x", source: "s", target: "end", kind: "error" }] },
        { subgraphs: [child("c", inner)] },
      ),
    );
    run.work(result());
    reserve(run, "", 10);
    run.pass(1_000);
    for (const body of [{ kind: "stop", limit: "subgraph_time_limit" }, { kind: "ascend" }] as const) run.propose(engine, body);
    expect(run.state().currentNode).toBe("end");
    drive(run);
    expect(run.state()).toMatchObject({ currentNode: "end", reservations: {}, spent: { "s/a": { tokens: 10 } } });
    expect(told(run)).toEqual([50, 75, 90, 100].map((percent) => `s/a:tokens:${percent}`));
  });
});

describe("a reservation [10]", () => {
  it("is for one call of one task of one visit", () => {
    const run = started(version([VOTING, AGENT, END]));
    const id = reserve(run, "voter.0");
    expect(getCode(answer(run, id, "voter.1"))).toBe("reservation_unknown");
    expect(getCode(answer(run, uuid(77), "voter.0"))).toBe("reservation_unknown");
    expect(getCode(answer(run, id, "voter.0"))).toBe("accepted");
    expect(getCode(answer(run, id, "voter.0"))).toBe("reservation_unknown");
    const again = started(
      version([AGENT, step("b")], {
        edges: [
          { id: "x", source: "a", target: "b" },
          { id: "y", source: "b", target: "a" },
        ],
      }),
    );
    const first = reserve(again);
    again.work(result());
    again.work(result());
    expect(again.state().currentNode).toBe("a");
    expect(getCode(answer(again, first))).toBe("reservation_unknown");
  });

  it.each([
    ["no", 0],
    ["maybe", 10],
  ] as const)("of a call billed %s counts as %i tokens", (billed, tokens) => {
    const run = started(version([AGENT, END]));
    const id = reserve(run, "", 10);
    expect(getCode(run.work({ kind: "model_failure", reservation_id: id, billed }))).toBe("accepted");
    expect(run.state()).toMatchObject({ totalTokens: tokens, reservations: {} });
    expect(getCode(run.work({ kind: "model_failure", reservation_id: id, billed }))).toBe("reservation_unknown");
  });

  it("of a failed attempt counts as spent, and its answer is too late", () => {
    const run = started(version([AGENT, END]));
    const id = reserve(run, "", 10);
    run.work(createFailure("model_failed", { retryable: true }));
    expect(run.state()).toMatchObject({ totalTokens: 10, reservations: {} });
    expect(getCode(answer(run, id))).toBe("reservation_unknown");
  });

  it("without use is forfeited, by the engine only, and not before", () => {
    const run = started(version([AGENT, step("b"), END]));
    const id = reserve(run, "", 10);
    const forfeit = { kind: "forfeit", reservation_id: id } as const;
    expect(getCode(run.propose(engine, forfeit))).toBe("reservation_unknown");
    expect(getCode(run.propose(user(STARTER, "admin"), forfeit))).toBe("principal_not_allowed");
    expect(plan(run.published, run.state(), run.now(), 2)).toEqual({ type: "propose", body: forfeit });
    run.work(result());
    expect(plan(run.published, run.state(), run.now(), 1)).toEqual({ type: "propose", body: forfeit });
    expect(getCode(run.propose(engine, forfeit))).toBe("accepted");
    expect(run.state()).toMatchObject({ totalTokens: 10, reservations: {}, spent: { a: { tokens: 10 } } });
  });

  it("is settled while the run waits, but allows nothing new", () => {
    const run = started(version([{ ...VOTING, write_keys: ["is_admin"] }, END]));
    const id = reserve(run, "voter.0");
    run.work(result(update("is_admin", true)));
    expect(run.state().status).toBe("waiting");
    expect(getCode(answer(run, id, "voter.0"))).toBe("accepted");
    expect(wants(run, 1, 0, "voter.1")).toBe("node_not_active");
    expect(run.state()).toMatchObject({ status: "waiting", totalTokens: 2 });
  });
});
