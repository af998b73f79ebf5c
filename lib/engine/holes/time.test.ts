import { expect, test } from "vitest";
import { plan } from "@/lib/engine/plan";
import { nodesWith, publishWith } from "@/lib/engine/testing/graph";
import {
  atGate,
  getCode,
  decideAs,
  engine,
  executor,
  intent,
  result,
  REVIEWER,
  settle,
  started,
  update,
  user,
} from "@/lib/engine/testing/run";

const failure = (code: string, retryable: boolean) => ({
  kind: "node_failure" as const,
  code,
  retryable,
  detail: "",
  jitter: 0.5,
  retry_after_ms: null,
});

test("cycgraph: a budget of zero is zero, for tokens and for money", () => {
  const call = { kind: "model_intent" as const, tokens: 1, cost_micro_usd: 1 };
  const at = (limits: object) => started(publishWith({ ...limits, start_node: "parse" }));
  expect(getCode(at({ max_token_budget: 0 }).work(call))).toBe("token_budget");
  expect(getCode(at({ budget_usd: 0 }).work(call))).toBe("cost_budget");
  expect(getCode(at({}).work(call))).toBe("accepted");
});

test("cycgraph: a timeout ends the node, its retries and its work in flight", () => {
  const run = started(publishWith());
  run.work(intent("docs", "read", { topic: "plans" }));
  run.work(failure("node_timeout", true));
  expect(run.state()).toMatchObject({ status: "running", currentNode: "decline", retryAt: null });
  run.pass(3_000);
  expect(getCode(run.propose(engine, { kind: "begin" }))).not.toBe("accepted");
  const { activation, currentNode } = run.state();
  run.propose(executor("fetch"), { kind: "node_result", activation: 1, actions: [update("mail", { text: "late" })] as never });
  expect(run.state()).toMatchObject({ activation, currentNode });
  expect(run.state().cells.map(({ path }) => path)).toEqual(["topic"]);
});

test("Theodosia: an answer after the action's timeout changes nothing", () => {
  const run = started(publishWith());
  run.work(intent("docs", "read", { topic: "plans" }));
  run.work(failure("node_timeout", false));
  const { cells, currentNode, status, activation } = run.state();
  settle(run, { text: "late" });
  expect(run.state()).toMatchObject({ cells, currentNode, status, activation });
  expect(getCode(run.propose(executor("fetch"), { kind: "node_result", activation: 2, actions: [] }))).toBe("node_not_active");
});

test("cycgraph: the time limit continues after a resume", () => {
  const run = atGate(publishWith({ max_execution_time_ms: 10_000, nodes: nodesWith("fetch", {}) }));
  expect(run.state().status).toBe("waiting");
  run.pass(3_600_000);
  decideAs(run, user(REVIEWER));
  run.pass(6_000);
  run.work(intent("crm", "update", { plan: "team" }));
  settle(run, { error: "again" }, "tool_error");
  run.work(failure("tool_error", true));
  run.pass(4_000);
  expect(getCode(run.work(intent("crm", "update", { plan: "team" }, "again")))).toBe("time_limit");
  expect(getCode(run.work(result(update("result", "ok"))))).toBe("time_limit");
});

test("a node under retry is at work, also for a runner whose clock lags", () => {
  const run = started(
    publishWith({ nodes: nodesWith("fetch", { failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 60_000 } }) }),
  );
  run.work(failure("tool_error", true));
  expect(plan(run.published, run.state(), run.now(), 1)).toEqual({ type: "wait", until: run.now() + 60_000 });
  const early = run.now();
  run.pass(60_000);
  expect(getCode(run.propose(engine, { kind: "retry" }))).toBe("accepted");
  expect(plan(run.published, run.state(), early, 1)).toMatchObject({ type: "execute", node: "fetch" });
});
