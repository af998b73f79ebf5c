import { describe, expect, it } from "vitest";
import { buildApprovalView } from "@/lib/engine/approvals/approval-view";
import { describeRejection } from "@/lib/engine/approvals/rejection";
import { plan } from "@/lib/engine/plan";
import type { RunStatus } from "@/lib/engine/event";
import { child, END, step, using, version } from "@/lib/engine/testing/kinds";
import { decideAs, engine, getCode, result, REVIEWER, started, STARTER, update, user, type TestRun } from "@/lib/engine/testing/run";
import { answer, ask, createFailure, drive, reserve } from "@/lib/engine/testing/work";
import type { GraphInput } from "@/lib/graph/document";

type NodeInput = GraphInput["nodes"][number];

const AGENT: NodeInput = { id: "a", kind: "agent", write_keys: ["out"], config: { agent_id: "plain" } };
const VOTING: NodeInput = {
  id: "v",
  kind: "voting",
  write_keys: ["is_admin"],
  config: { voters: [{ agent_id: "plain" }, { agent_id: "plain" }] },
};
const RESCUED = { edges: [{ id: "x", source: "a", target: "end", kind: "error" as const }] };
const usage = (tokens: number, cost = 0) => ({
  usage: { model: "m", input_tokens: tokens, output_tokens: 0, cost_micro_usd: cost, price_source: "t" },
});
const wants = (run: TestRun, tokens: number, cost = 0) => getCode(run.work({ kind: "model_intent", tokens, cost_micro_usd: cost }));
const reviewer = user(REVIEWER);
const ended = (run: TestRun): [RunStatus, string | null] => [run.state().status, run.state().endReason];
const controlOf = (run: TestRun) =>
  run
    .records()
    .at(-1)
    ?.record.control.map((event) => event.type);
const work = (run: TestRun) => plan(run.published, run.state(), run.now(), 1);
const openGate = (run: TestRun) => {
  const gate = Object.values(run.state().gates).find(({ status }) => status === "open");
  if (!gate) throw new Error("no gate is open");

  return gate;
};

describe("a run over its budget", () => {
  it.each([
    ["tokens", { max_token_budget: 10 }, usage(11), "token_budget"],
    ["money", { budget_usd: 0.0001 }, usage(1, 101), "cost_budget"],
  ] as const)("ends when a call used more %s than it reserved, whatever it would do next", (_what, limits, used, code) => {
    const run = started(version([AGENT, END], { ...limits, ...RESCUED }));
    ask(run, "", used);
    expect(getCode(run.work(result(update("out", "done"))))).toBe(code);
    expect(work(run)).toEqual({ type: "propose", body: { kind: "stop", limit: code } });
    drive(run);
    expect(ended(run)).toEqual(["budget_exceeded", code]);
  });

  it("may use its budget up to the last token", () => {
    const run = started(version([AGENT], { max_token_budget: 10, end_nodes: ["a"] }));
    ask(run, "", usage(10));
    run.work(result(update("out", "done")));
    expect(ended(run)).toEqual(["completed", null]);
  });

  it("is not stopped within its budget", () => {
    const run = started(version([AGENT, END], { max_token_budget: 10 }));
    ask(run, "", usage(10));
    expect(getCode(run.propose(engine, { kind: "stop", limit: "token_budget" }))).toBe("version_conflict");
  });

  it.each(["token_budget", "cost_budget"])("takes no error edge and no other attempt after %s", (code) => {
    const run = started(version([{ ...AGENT, failure_policy: { attempts: 3 } }, END], { max_token_budget: 10, ...RESCUED }));
    run.work(createFailure(code, { retryable: true }));
    expect(ended(run)).toEqual(["budget_exceeded", code]);
  });

  it("ends so when a node's budget is used up and no edge handles it", () => {
    const run = started(version([{ ...AGENT, budget: { max_tokens: 5 } }, END]));
    run.work(createFailure("node_budget"));
    expect(ended(run)).toEqual(["budget_exceeded", "node_budget"]);
    const handled = started(version([{ ...AGENT, budget: { max_tokens: 5 } }, END], RESCUED));
    handled.work(createFailure("node_budget"));
    expect(handled.state().currentNode).toBe("end");
  });

  it("is not completed by a decision about a call that overspent meanwhile", () => {
    const run = started(version([VOTING], { max_token_budget: 10, end_nodes: ["v"] }));
    const open = reserve(run, "voter.0", 10);
    run.work(result(update("is_admin", true)));
    answer(run, open, "voter.0", usage(11));
    expect(run.state().status).toBe("waiting");
    decideAs(run, reviewer);
    expect(ended(run)).toEqual(["budget_exceeded", "token_budget"]);
  });
});

describe("a subgraph over its budget", () => {
  const graph = (inner: Partial<GraphInput>, outer: Partial<GraphInput> = {}) =>
    version(
      [using("s", "c"), END],
      { edges: [{ id: "x", source: "s", target: "end", kind: "error" }], ...outer },
      { subgraphs: [child("c", version([AGENT, step("z")], inner))] },
    );
  const inside = (...limits: Parameters<typeof graph>) => {
    const run = started(graph(...limits));
    run.work(result());

    return run;
  };

  it("fails, and the graph around it may handle that", () => {
    const run = inside({ max_token_budget: 10 });
    ask(run, "", usage(11));
    expect(getCode(run.work(result()))).toBe("subgraph_budget");
    expect(work(run)).toEqual({ type: "propose", body: { kind: "stop", limit: "subgraph_budget" } });
    drive(run);
    expect(run.state()).toMatchObject({ currentNode: "end", frames: [] });
  });

  it("is told from the run's budget by which of them leaves less", () => {
    const narrow = inside({ max_token_budget: 10 }, { max_token_budget: 100 });
    narrow.work(createFailure("token_budget"));
    drive(narrow);
    expect(narrow.state()).toMatchObject({ currentNode: "end", lastError: { code: "subgraph_budget" } });
    const wide = inside({ max_token_budget: 100 }, { max_token_budget: 10 });
    wide.work(createFailure("token_budget"));
    expect(ended(wide)).toEqual(["budget_exceeded", "token_budget"]);
  });
});

describe("a run that asks for a higher limit", () => {
  const ASK = { max_token_budget: 100, budget_usd: 0.001, over_budget: "ask" } as const;
  const asking = () => {
    const run = started(version([AGENT, END], { ...ASK, ...RESCUED }));
    wants(run, 101);

    return run;
  };

  it("waits at a gate in place of the refusal and shows both limits", () => {
    const run = asking();
    expect(run.state()).toMatchObject({ status: "waiting", reservations: {}, currentNode: "a" });
    const view = buildApprovalView(run.published, run.state(), openGate(run), "internal");
    expect(view).toMatchObject({
      reason: "budget",
      prompt: "Token limit reached at a. Raise it from 100 tokens to 200 tokens?",
      effect: "Raises the limit below. The run continues and may spend up to it.",
      lines: [
        {
          path: "Token limit",
          op: "set",
          before: { value: "100 tokens" },
          after: { value: "200 tokens" },
          changed: true,
          integrity: "trusted",
        },
      ],
    });
  });

  it("continues under the limit that a person approved, which is on record", () => {
    const run = asking();
    expect(decideAs(run, reviewer).ok).toBe(true);
    expect(run.records().at(-1)?.record.control).toContainEqual({
      type: "limit_raised",
      approval_id: Object.keys(run.state().gates)[0],
      measure: "tokens",
      from: 100,
      to: 200,
    });
    expect(run.state()).toMatchObject({ status: "running", currentNode: "a", start: { max_token_budget: 200, budget_micro_usd: 1_000 } });
    expect(wants(run, 200)).toBe("accepted");
    expect(work(run)).toMatchObject({ type: "execute", node: "a" });
  });

  it("asks for as much as the call needs if twice the limit does not suffice", () => {
    const run = started(version([AGENT, END], { ...ASK, budget_usd: 0 }));
    wants(run, 1, 1_234_567);
    expect(openGate(run).gate.prompt).toBe("Cost limit reached at a. Raise it from $0.00 to $1.234567?");
    decideAs(run, reviewer);
    expect(wants(run, 1, 1_234_567)).toBe("accepted");
  });

  it.each([
    ["rejected", (run: TestRun) => decideAs(run, reviewer, "reject")],
    ["not decided in time", (run: TestRun) => (run.pass(86_400_000), drive(run))],
  ])("ends when that is %s, past no error edge", (_when, then) => {
    const run = asking();
    then(run);
    expect(ended(run)).toEqual(["budget_exceeded", "token_budget"]);
  });

  it("says beforehand how a rejection ends", () => {
    const run = asking();
    expect(describeRejection(run.published, run.state(), openGate(run), run.now())).toMatchObject({
      ends: "budget_exceeded",
      code: "token_budget",
      next: null,
    });
  });

  it("is not decided by the person who started it", () => {
    const run = asking();
    expect(getCode(decideAs(run, user(STARTER)))).toBe("own_run");
    expect(run.state().start?.max_token_budget).toBe(100);
  });

  it("also asks after a call that used more than it reserved, and then keeps its answer", () => {
    const run = started(version([AGENT, END], ASK));
    ask(run, "", usage(250));
    drive(run);
    expect(openGate(run).gate.prompt).toContain("from 100 tokens to 250 tokens");
    decideAs(run, reviewer);
    expect(getCode(run.work(result(update("out", "done"))))).toBe("accepted");
    expect(run.state()).toMatchObject({ currentNode: "end", totalTokens: 250 });
  });

  it("asks again at the raised limit and reports its thresholds again", () => {
    const run = started(version([AGENT, END], ASK));
    ask(run, "", usage(50));
    expect(controlOf(run)).toEqual(["model_called", "budget_threshold"]);
    wants(run, 51);
    decideAs(run, reviewer);
    ask(run, "", usage(50));
    expect(controlOf(run)).toEqual(["model_called", "budget_threshold"]);
    wants(run, 101);
    expect(openGate(run).gate.prompt).toContain("from 200 tokens to 400 tokens");
  });

  it("asks for the run's budget only", () => {
    const run = started(version([{ ...AGENT, budget: { max_tokens: 5 } }, END], ASK));
    expect(wants(run, 6)).toBe("node_budget");
    const inner = version([AGENT, step("z")], { max_token_budget: 5, over_budget: "ask" });
    const nested = started(version([using("s", "c"), END], { max_token_budget: 100 }, { subgraphs: [child("c", inner)] }));
    nested.work(result());
    expect(wants(nested, 6)).toBe("token_budget");
    expect(wants(nested, 101)).toBe("token_budget");
  });
});
