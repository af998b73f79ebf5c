import { describe, expect, test } from "vitest";
import { graphSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { recordsOf } from "@/lib/engine/testing/entries";
import { nodesWith, publishWith, SMALL_GRAPH } from "@/lib/engine/testing/graph";
import {
  atGate,
  atParse,
  atTriage,
  call,
  decideAs,
  engine,
  newRun,
  result,
  REVIEWER,
  STARTER,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { buildWorkflowState, workflowStateSchema, type WorkflowState } from "@/lib/engine/workflow-state";

/** Parsed from JSON, so that each state has the promised schema. */
const stateOf = (run: TestRun): WorkflowState =>
  workflowStateSchema.parse(JSON.parse(JSON.stringify(buildWorkflowState(run.published, recordsOf(run), run.state(), run.now()))));

const limited = (change: Partial<GraphInput>): PublishedGraph => publishWith(change);
const iso = (ms: number) => new Date(ms).toISOString();

/** Without an edge for failures. */
const unrescued = (change: Parameters<typeof nodesWith>[1]): PublishedGraph =>
  limited({
    nodes: nodesWith("fetch", change),
    edges: (SMALL_GRAPH.edges ?? []).filter(({ kind }) => kind !== "error" && kind !== "timeout"),
  });

const failing = (run: TestRun, retryable: boolean) =>
  run.work({ kind: "node_failure", code: "tool_error", retryable, detail: "it broke", jitter: 0, retry_after_ms: null });

describe("the workflow state before the start", () => {
  test("has the defaults of the schema", () => {
    const run = newRun(publishWith());

    expect(stateOf(run)).toEqual({
      workflow_id: "small",
      run_id: run.state().run,
      goal: "",
      constraints: [],
      status: "pending",
      current_node: null,
      iteration_count: 0,
      max_iterations: 50,
      started_at: null,
      max_execution_time_ms: 3_600_000,
      retry_count: 0,
      max_retries: 3,
      last_error: null,
      compensation_stack: [],
      waiting_for: null,
      waiting_since: null,
      waiting_timeout_at: null,
      total_tokens_used: 0,
      max_token_budget: null,
      total_cost_usd: 0,
      budget_usd: null,
      memory: {},
      visited_nodes: [],
      supervisor_history: [],
      created_at: iso(run.now()),
      updated_at: iso(run.now()),
    });
  });

  test("has the limits of its graph", () => {
    const published = limited({ max_iterations: 7, max_execution_time_ms: 9_000, max_token_budget: 0, budget_usd: 0.25 });
    const limits = { max_iterations: 7, max_execution_time_ms: 9_000, max_token_budget: 0, budget_usd: 0.25 };

    expect(stateOf(newRun(published))).toMatchObject(limits);
    expect(stateOf(started(published))).toMatchObject(limits);
  });
});

describe("the workflow state", () => {
  test("gives goal, place and time", () => {
    const run = started(publishWith());

    expect(stateOf(run)).toMatchObject({
      goal: "Handle the mail",
      constraints: ["be brief"],
      status: "running",
      current_node: "fetch",
      started_at: iso(run.now()),
      created_at: iso(run.now()),
      memory: { topic: "plans" },
      visited_nodes: ["fetch"],
    });
  });

  test("updates iterations, memory, visited nodes and time with every node", () => {
    const run = started(publishWith());
    const before = stateOf(run);
    call(run, "docs", "read", { topic: "plans" }, { text: "hello" });
    run.pass(5_000);
    run.work(result(update("mail", { text: "hello" })));

    expect(stateOf(run)).toMatchObject({
      iteration_count: before.iteration_count + 1,
      current_node: "parse",
      memory: { topic: "plans", mail: { text: "hello" } },
      visited_nodes: ["fetch", "parse"],
      created_at: before.created_at,
      updated_at: iso(run.now()),
    });
  });

  test("counts retries against the node's policy, and keeps the last error text", () => {
    const run = started(limited({ nodes: nodesWith("fetch", { failure_policy: { attempts: 5, backoff: "fixed", backoff_ms: 100 } }) }));
    expect(stateOf(run)).toMatchObject({ retry_count: 0, max_retries: 4, last_error: null });
    failing(run, true);

    expect(stateOf(run)).toMatchObject({ status: "retrying", retry_count: 1, last_error: "tool_error: it broke" });
  });

  test("counts retries, not failures, and keeps the limit of the node that failed last", () => {
    const run = started(unrescued({ failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 0 } }));
    failing(run, true);
    run.pass(1);
    run.propose(engine, { kind: "retry" });
    failing(run, true);

    expect(stateOf(run)).toMatchObject({ status: "failed", retry_count: 1, max_retries: 1, last_error: "tool_error: it broke" });
  });

  test("does not count a failure that is not retried as a retry", () => {
    const run = started(unrescued({ failure_policy: { attempts: 4 } }));
    failing(run, false);

    expect(stateOf(run)).toMatchObject({ status: "failed", retry_count: 0, max_retries: 3 });
  });

  test.each([
    ["time_limit", "timeout", { max_execution_time_ms: 1_000 }, "time_limit: The run's time limit is reached."],
    ["iteration_limit", "failed", { max_iterations: 1 }, "iteration_limit: The run's iteration limit is reached."],
  ] as const)("gives %s as the last error, over an earlier one that was handled", (limit, status, change, error) => {
    const run = started(
      limited({ ...change, nodes: nodesWith("fetch", { failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 0 } }) }),
    );
    failing(run, true);
    run.pass(1);
    run.propose(engine, { kind: "retry" });
    call(run, "docs", "read", { topic: "plans" }, { text: "hello" });
    run.work(result(update("mail", { text: "hello" })));
    run.pass(2_000);
    run.propose(engine, { kind: "stop", limit });

    expect(stateOf(run)).toMatchObject({ status, last_error: error });
  });

  test("gives no error for a run that a person cancelled", () => {
    const run = started(publishWith());
    run.propose(user(STARTER, "builder"), { kind: "cancel" });

    expect(run.state()).toMatchObject({ status: "cancelled", endReason: "cancelled" });
    expect(stateOf(run).last_error).toBeNull();
  });

  test("gives the cause, start and deadline of a wait, and nothing afterwards", () => {
    const run = atGate();
    const gate = Object.values(run.state().gates)[0]?.gate;
    expect(stateOf(run)).toMatchObject({
      status: "waiting",
      waiting_for: "human_approval",
      waiting_since: iso(run.now()),
      waiting_timeout_at: iso(gate?.expires_at ?? 0),
    });
    decideAs(run, user(REVIEWER));

    expect(stateOf(run)).toMatchObject({ status: "running", waiting_for: null, waiting_since: null, waiting_timeout_at: null });
  });

  test("reports an unavailable tool that holds an approval", () => {
    const run = atGate();
    const gate = Object.values(run.state().gates)[0]?.gate;
    run.propose({ type: "engine", epoch: 1 }, { kind: "void", approval_id: gate?.id ?? "", availability: "drifted" });

    expect(stateOf(run)).toMatchObject({ status: "waiting", waiting_for: "tool", waiting_timeout_at: iso(gate?.expires_at ?? 0) });
  });

  test("names other gates by reason", () => {
    const run = atParse();
    run.work(result(update("is_admin", true)));

    expect(stateOf(run).waiting_for).toBe("protected_key");
  });

  test("sums tokens and cost", () => {
    const run = atParse();
    spend(run, { input_tokens: 100, output_tokens: 20, cost_micro_usd: 1_500 });

    expect(stateOf(run)).toMatchObject({ total_tokens_used: 120, total_cost_usd: 0.0015 });
  });

  test("lists undoable effects, newest last", () => {
    const undoable = { server: "crm", tool: "update", arguments: { plan: { value: "old" } } };
    const run = atTriage(limited({ nodes: nodesWith("write", { compensation: undoable }) }));
    run.work(result());
    run.work(result({ type: "request_human_input", prompt: "" }));
    decideAs(run, user(REVIEWER));
    call(run, "crm", "update", { plan: "team" }, "done");
    const [effect] = Object.values(run.state().effects).toReversed();

    expect(stateOf(run).compensation_stack).toEqual([
      { action_id: effect?.effect_id, compensation_action: { type: "crm.update", payload: { plan: "old" } } },
    ]);
  });

  test("keeps supervisor choices in order", () => {
    const run = supervised();
    choose(run, "fetch");

    expect(stateOf(run).supervisor_history).toEqual([{ supervisor: "boss", chosen: "fetch", at: iso(run.now()) }]);
  });
});

const spend = (run: TestRun, used: { input_tokens: number; output_tokens: number; cost_micro_usd: number }) => {
  run.work({ kind: "model_intent", tokens: 1_000, cost_micro_usd: 10_000 });
  const [reservation = ""] = Object.keys(run.state().reservations);
  run.work({
    kind: "model_call",
    reservation_id: reservation,
    step: 0,
    fresh: [],
    text: "ok",
    tool_calls: [],
    usage: { model: "scripted:honest", price_source: "scripted", ...used },
  });
};

const supervised = (): TestRun => {
  const base = publishWith();
  const boss = {
    id: "boss",
    kind: "supervisor" as const,
    config: { agent_id: "parser", managed_nodes: ["fetch", "decline"] },
  };
  const graph = graphSchema.parse({ ...SMALL_GRAPH, nodes: [...SMALL_GRAPH.nodes, boss], start_node: "boss" });

  return started({ ...base, graph });
};

const choose = (run: TestRun, to: string) => run.work(result({ type: "goto_node", node: to }));
