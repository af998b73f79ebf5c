import { describe, expect, it } from "vitest";
import { buildPublishedGraph } from "@/lib/graph/publish";
import { graphSchema, type GraphInput } from "@/lib/graph/document";
import { ZOO, ZOO_CONTEXT } from "@/lib/graph/testing/zoo";
import { child, END, FETCH, using, version, writer } from "@/lib/engine/testing/kinds";
import { computeEnvelope, type RatesByModel, type Starting } from "./envelope";

type NodeInput = GraphInput["nodes"][number];

const priced = (input: number, output: number) => ({
  input_usd_per_million: input,
  output_usd_per_million: output,
  source: "test",
  read_at: 0,
});
const RATES: RatesByModel = new Map([
  ["paid", priced(2, 10)],
  ["free", priced(0, 0)],
  ["secret", null],
]);
const starting = (change: Partial<Starting> = {}): Starting => ({ model: "paid", rates: RATES, limits: {}, ...change });

const agent = (id: string, change: object = {}): NodeInput => ({
  id,
  kind: "agent",
  write_keys: ["out"],
  config: { agent_id: "plain" },
  failure_policy: { attempts: 1 },
  ...change,
});

describe("model calls", () => {
  const callsOf = (nodes: NodeInput[], graph: Partial<GraphInput> = {}) => computeEnvelope(version(nodes, graph), starting()).modelCalls;

  it("are a node's steps times attempts and visits", () => {
    expect(callsOf([agent("a"), END])).toBe(10);
    expect(callsOf([agent("a", { failure_policy: { attempts: 4 } }), END])).toBe(40);
    const back = [
      { id: "x", source: "a", target: "end" },
      { id: "y", source: "end", target: "a" },
    ];
    expect(callsOf([agent("a"), END], { edges: back, max_iterations: 7 })).toBe(70);
  });

  it("exclude what no run can reach", () => {
    expect(callsOf([agent("a"), END, agent("b")], { edges: [{ id: "x", source: "a", target: "end" }] })).toBe(10);
  });

  it("of a loop go to its most expensive node, and nodes beside it count once", () => {
    const nodes = [agent("a"), agent("b", { failure_policy: { attempts: 2 } }), agent("c", { failure_policy: { attempts: 5 } })];
    const edges = [
      { id: "ab", source: "a", target: "b" },
      { id: "ba", source: "b", target: "a" },
      { id: "bc", source: "b", target: "c" },
    ];
    expect(callsOf(nodes, { edges, max_iterations: 10 })).toBe(50 + 9 * 20);
  });

  it("of managed nodes are bounded by the supervisor's choices", () => {
    const boss = { id: "s", kind: "supervisor", config: { agent_id: "plain", managed_nodes: ["a"], max_iterations: 3 } } as NodeInput;
    const edges = [
      { id: "as", source: "a", target: "s" },
      { id: "se", source: "s", target: "end" },
    ];
    const nodes = [{ ...boss, failure_policy: { attempts: 1 } }, agent("a"), END];
    expect(callsOf(nodes, { edges, start_node: "s", max_iterations: 500 })).toBe(4 * 10 + 4 * 10);
    const failing = [...edges, { id: "er", source: "s", target: "a", kind: "error" as const }];
    expect(callsOf(nodes, { edges: failing, start_node: "s", max_iterations: 500 })).toBeGreaterThan(1_000);
  });

  it("include all agents of a node", () => {
    const of = (kind: string, config: object) => callsOf([agent("v", { kind, config }), END]);
    const voters = [{ agent_id: "plain" }, { agent_id: "plain" }];
    expect(of("voting", { voters, strategy: "judge", judge_id: "plain" })).toBe(30);
    const search = { candidate_id: "plain", fitness: { agent_id: "plain" }, population_size: 3, max_generations: 2 };
    expect(of("evolution", search)).toBe(6 * 20);
    expect(of("agent", { agent_id: "plain", annealing: { evaluator_id: "plain", max_iterations: 4 } })).toBe(4 * 20);
    const map = { worker_node: "w", items: { from: "items" }, max_items: 6, synthesizer: { agent_id: "plain" } };
    const worker = agent("w", { failure_policy: { attempts: 2 } });
    expect(callsOf([agent("m", { kind: "map", config: map }), END, worker], { edges: [{ id: "x", source: "m", target: "end" }] })).toBe(
      6 * 20 + 10,
    );
  });

  it("include a subgraph's for every visit", () => {
    const inner = version([agent("a"), END]);
    const graph = version([using("s", "c"), using("t", "c"), END], {}, { subgraphs: [child("c", inner)] });
    expect(computeEnvelope(graph, starting()).modelCalls).toBe(20);
  });
});

describe("tokens and money", () => {
  const of = (nodes: NodeInput[], graph: Partial<GraphInput> = {}, change: Partial<Starting> = {}) => {
    const { tokens, costMicroUsd } = computeEnvelope(version(nodes, graph), starting(change));

    return { tokens, costMicroUsd };
  };

  it("are unbounded, explicitly, without a budget", () => {
    expect(of([agent("a"), END])).toEqual({ tokens: null, costMicroUsd: null });
    expect(of([agent("a"), END], {}, { model: "free" })).toEqual({ tokens: null, costMicroUsd: 0 });
    expect(of([END])).toEqual({ tokens: 0, costMicroUsd: 0 });
  });

  it("are bounded by the smallest of version, run and the nodes' sum", () => {
    const version_ = { max_token_budget: 1_000 };
    expect(of([agent("a"), END], version_).tokens).toBe(1_000);
    expect(of([agent("a"), END], version_, { limits: { max_token_budget: 10 } }).tokens).toBe(10);
    const nodes = [agent("a", { budget: { max_tokens: 30 } }), agent("b", { budget: { max_tokens: 40 } }), END];
    expect(of(nodes, version_).tokens).toBe(70);
    expect(of([...nodes.slice(0, 1), agent("b"), END]).tokens).toBeNull();
  });

  it("use the most expensive token of every possible model", () => {
    // Each call rounds up.
    expect(of([agent("a"), END], { max_token_budget: 100 }).costMicroUsd).toBe(100 * 10 + 10);
    expect(of([agent("a"), END], { max_token_budget: 100, budget_usd: 0.0005 }).costMicroUsd).toBe(500);
    expect(of([agent("a"), END], {}, { limits: { budget_micro_usd: 7 } }).costMicroUsd).toBe(7);
    expect(of([agent("a", { budget: { max_cost_usd: 0.0001 } }), END]).costMicroUsd).toBe(100);
  });

  it("of a subgraph are bounded by its limits per visit, inside the run's", () => {
    const inner = version([agent("a"), END], { max_token_budget: 40, budget_usd: 0.0001 });
    const graph = version([using("s", "c"), using("t", "c"), END], {}, { subgraphs: [child("c", inner)] });
    expect(computeEnvelope(graph, starting())).toMatchObject({ tokens: 80, costMicroUsd: 200 });
    const again = [{ id: "x", source: "s", target: "s" }];
    const loop = version([using("s", "c")], { edges: again, max_iterations: 5 }, { subgraphs: [child("c", inner)] });
    expect(computeEnvelope(loop, starting())).toMatchObject({ tokens: 200, costMicroUsd: 500 });
    expect(computeEnvelope(graph, starting({ limits: { max_token_budget: 50 } })).tokens).toBe(50);
  });

  it("of zero are zero: no model is called", () => {
    expect(computeEnvelope(version([agent("a"), END]), starting({ limits: { max_token_budget: 0 } }))).toMatchObject({
      modelCalls: 0,
      tokens: 0,
      costMicroUsd: 0,
    });
    expect(computeEnvelope(version([agent("a", { budget: { max_tokens: 0 } }), END]), starting()).modelCalls).toBe(0);
  });

  it("name unusable models without a price or runner", () => {
    const refusedBy = (model: string) => computeEnvelope(version([agent("a"), END]), starting({ model })).refusedModels;
    expect(refusedBy("paid")).toEqual([]);
    expect(refusedBy("secret")).toEqual([{ model: "secret", why: "no_price" }]);
    expect(refusedBy("elsewhere")).toEqual([{ model: "elsewhere", why: "unknown" }]);
  });
});

describe("effects", () => {
  const once = { failure_policy: { attempts: 1 } };
  const of = (...nodes: NodeInput[]) => {
    const { changes, irreversible, unattended } = computeEnvelope(version([...nodes, END]), starting());

    return { changes, irreversible, unattended };
  };

  it("are one call per attempt of a tool node, and one undo", () => {
    expect(of({ ...FETCH, ...once })).toEqual({ changes: 0, irreversible: 0, unattended: 0 });
    expect(of(writer("w", { ...once, compensation: undefined }))).toEqual({ changes: 1, irreversible: 0, unattended: 1 });
    expect(of(writer("w", { failure_policy: { attempts: 3 } }))).toEqual({ changes: 6, irreversible: 0, unattended: 6 });
  });

  it("are attended where a person is always asked, and where irreversible", () => {
    expect(of(writer("w", { ...once, approval: "always" }))).toEqual({ changes: 2, irreversible: 0, unattended: 0 });
    const erase = { server: "crm", tool: "erase", arguments: {} };
    expect(of({ id: "e", kind: "tool", ...once, config: erase })).toEqual({ changes: 1, irreversible: 1, unattended: 0 });
  });

  it("are every call a model could make in every step, if its agent has a tool for it", () => {
    const handy = agent("a", { config: { agent_id: "handy" } });
    expect(of(handy)).toEqual({ changes: 1_000, irreversible: 1_000, unattended: 0 });
    expect(of(agent("a"))).toEqual({ changes: 0, irreversible: 0, unattended: 0 });
  });
});

it("a graph of every kind has a bound for each of its budgets", () => {
  const published = buildPublishedGraph(graphSchema.parse(ZOO), ZOO_CONTEXT);
  const envelope = computeEnvelope(published, starting({ rates: new Map([["paid", priced(0, 0)]]) }));
  expect(envelope).toMatchObject({ tokens: 1_000, costMicroUsd: 0, timeMs: 3_600_000 });
  expect(envelope.modelCalls).toBeGreaterThan(100);
  expect(envelope.changes).toBeGreaterThan(1);
  expect(envelope.refusedModels.map(({ model }) => model).toSorted()).toEqual(["anthropic:claude-sonnet-5", "openai:gpt-5.2"]);
});

it("narrower limits never increase the bound", () => {
  const graph = version([agent("a"), writer("w"), END], { max_token_budget: 500 });
  let before = computeEnvelope(graph, starting());
  for (const max_token_budget of [400, 100, 1, 0]) {
    const next = computeEnvelope(graph, starting({ limits: { max_token_budget } }));
    expect(
      [next.tokens, next.costMicroUsd, next.modelCalls].map(
        (value, index) => Number(value) <= Number([before.tokens, before.costMicroUsd, before.modelCalls][index]),
      ),
    ).toEqual([true, true, true]);
    before = next;
  }
});
