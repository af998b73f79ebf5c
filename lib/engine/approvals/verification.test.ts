import { describe, expect, test } from "vitest";
import { agentSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { plan } from "@/lib/engine/plan";
import { END, TOOLS, version, writer } from "@/lib/engine/testing/kinds";
import { rule, startedUnder } from "@/lib/engine/testing/rules";
import {
  getCode,
  decideAs,
  intent,
  openGate,
  result,
  REVIEWER,
  settle,
  started,
  update,
  user,
  type TestRun,
} from "@/lib/engine/testing/run";
import { answer, drive, reserve } from "@/lib/engine/testing/work";
import { says } from "@/lib/engine/testing/zones";

type Verification = NonNullable<GraphInput["verification"]>;

const AGENTS = [
  agentSchema.parse({ id: "plain", name: "plain", model: "a:alpha", tools: TOOLS.map(({ server, tool }) => ({ server, tool })) }),
  agentSchema.parse({ id: "checker", name: "checker", model: "b:beta" }),
  agentSchema.parse({ id: "guard", name: "guard", model: "b:beta" }),
];
const CHECKS: Verification["checks"] = [
  { id: "correctness", agent_id: "checker" },
  { id: "security", agent_id: "guard" },
];

const published = (verification: Verification, node: object = {}): PublishedGraph =>
  version(
    [writer("pay", { failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 0 }, ...node }), END],
    { verification },
    { agents: AGENTS },
  );

const pay = { what: "plans", by: "pay" };
const asks = (run: TestRun, args: object = pay) => run.work(intent("crm", "write", args));
const effects = (run: TestRun) => Object.values(run.state().effects);
const outcomes = (run: TestRun) => Object.values(run.state().cases).map(({ status }) => status);
const next = (run: TestRun) => plan(run.published, run.state(), run.now(), 1).type;

const check = (run: TestRun, index: number, text = says("approve"), ordinal = 0) => {
  const task = `check.${ordinal}.${index}`;
  answer(run, reserve(run, task), task, { text });

  return getCode(run.work({ kind: "verdict", task }));
};

const atCheck = (verification: Partial<Verification> = {}, node: object = {}): TestRun => {
  const run = started(published({ checks: CHECKS, ...verification }, node), { topic: "plans" });
  asks(run);

  return run;
};

describe("an effect under verification", () => {
  test("is intended only after every check approved exactly this call, once", () => {
    const run = atCheck();
    expect(effects(run)).toEqual([]);
    expect(outcomes(run)).toEqual(["open"]);
    expect(run.state().status).toBe("running");
    expect(next(run)).toBe("verify");
    expect(check(run, 0)).toBe("accepted");
    expect(outcomes(run)).toEqual(["open"]);
    expect(check(run, 1)).toBe("accepted");
    expect(outcomes(run)).toEqual(["passed"]);
    expect(next(run)).toBe("execute");
    asks(run);
    expect(effects(run).map(({ case_id }) => case_id)).toEqual(Object.keys(run.state().cases));
    settle(run, "ok");
    run.work({ ...intent("crm", "write", pay, "again") });
    expect(effects(run)).toHaveLength(1);
    expect(outcomes(run)).toEqual(["passed", "open"]);
  });

  test("is checked again with other arguments", () => {
    const agentNode = { id: "pay", kind: "agent" as const, effect: "write" as const, read_keys: ["topic"], config: { agent_id: "plain" } };
    const run = started(version([agentNode, END], { verification: { checks: CHECKS } }, { agents: AGENTS }), { topic: "plans" });
    asks(run, { what: "little" });
    check(run, 0);
    check(run, 1);
    run.work(intent("crm", "write", { what: "much" }, "other"));
    expect(effects(run)).toEqual([]);
    expect(outcomes(run)).toEqual(["passed", "open"]);
    expect(check(run, 0, says("approve"), 1)).toBe("accepted");
  });

  test.each([
    ["a no", says("reject")],
    ["an abstention", says("abstain")],
    ["something that is no verdict", "fine"],
  ])("does not pass with %s", (_name, text) => {
    const run = atCheck();
    check(run, 0);
    check(run, 1, text);
    expect(outcomes(run)).toEqual(["rejected"]);
    expect(run.state().lastError?.code).toBe("verification_failed");
    expect(run.state().status).toBe("failed");
  });

  test("does not pass without a verdict or after the deadline", () => {
    const run = atCheck();
    check(run, 0);
    run.work({ kind: "task_failure", task: "check.0.1", code: "model_failed", detail: "" });
    expect(outcomes(run)).toEqual(["rejected"]);
    const slow = started({
      ...published({ checks: CHECKS }),
      graph: { ...published({ checks: CHECKS }).graph, max_execution_time_ms: 2_000_000_000 },
    });
    asks(slow);
    slow.pass(86_400_000);
    drive(slow);
    expect(outcomes(slow)).toEqual(["expired"]);
    expect(slow.state().lastError?.code).toBe("verification_failed");
  });

  test("does not pass without checks", () => {
    const run = atCheck({ checks: [] });
    expect(effects(run)).toEqual([]);
    expect(run.state().lastError?.code).toBe("verification_failed");
  });

  test("is never checked by its requester", () => {
    const agentNode = { id: "pay", kind: "agent" as const, effect: "write" as const, read_keys: ["topic"], config: { agent_id: "plain" } };
    const checks: Verification["checks"] = [{ id: "quality", agent_id: "plain" }];
    const run = started(version([agentNode, END], { verification: { checks } }, { agents: AGENTS }), { topic: "plans" });
    asks(run);
    expect(run.state().lastError?.code).toBe("reviewer_is_producer");
    expect(outcomes(run)).toEqual([]);
  });

  test("needs its approval too", () => {
    const run = atCheck({}, { approval: "always" });
    check(run, 0);
    check(run, 1);
    asks(run);
    expect(openGate(run).gate.reason).toBe("effect");
    expect(effects(run)).toEqual([]);
    decideAs(run, user(REVIEWER));
    asks(run);
    expect(effects(run)).toHaveLength(1);
  });

  test("is replanned with a new case where configured, and fails in the end", () => {
    const run = atCheck({ on_failure: "replan" });
    check(run, 0, says("reject"));
    check(run, 1);
    expect(run.state().status).toBe("retrying");
    run.pass(10);
    drive(run);
    asks(run);
    expect(outcomes(run)).toEqual(["rejected", "open"]);
    check(run, 0, says("approve"), 1);
    check(run, 1, says("reject"), 1);
    expect(run.state().status).toBe("failed");
  });

  test("counts once towards a run's total, without its review", () => {
    const args = { what: "plans", by: 600 };
    const config = { server: "crm", tool: "write", arguments: { what: { from: "topic" }, by: { value: 600 } }, write_to: "out" };
    const total = rule({}, { server: "crm", tool: "write", amount: { argument: "by", from: 1_000, total: true } });
    const run = startedUnder([total], published({ checks: CHECKS, on_failure: "human" }, { config }));
    asks(run, args);
    check(run, 0, says("reject"));
    check(run, 1);
    decideAs(run, user(REVIEWER));
    asks(run, args);
    expect(effects(run)).toHaveLength(1);
  });

  test("goes to a person where configured, whose yes verifies but does not approve", () => {
    const run = atCheck({ on_failure: "human" }, { approval: "always" });
    check(run, 0, says("reject"));
    check(run, 1);
    expect(openGate(run).gate).toMatchObject({ reason: "review", quorum: 1 });
    decideAs(run, user(REVIEWER));
    expect(outcomes(run)).toEqual(["rejected", "passed"]);
    asks(run);
    expect(openGate(run).gate.reason).toBe("effect");
    const refused = atCheck({ on_failure: "human" });
    check(refused, 0, says("reject"));
    check(refused, 1);
    decideAs(refused, user(REVIEWER), "reject");
    expect(refused.state().lastError?.code).toBe("verification_failed");
    expect(effects(refused)).toEqual([]);
  });

  test("hides its verifiers' text from everyone else", () => {
    const run = atCheck();
    check(run, 0, says("approve", { comment: "canary" }));
    check(run, 1);
    asks(run);
    settle(run, "ok");
    run.work(result(update("out", "ok")));
    const label = run.state().cells.find(({ path }) => path === "out")?.label;
    expect(label?.provenance).not.toContain("agent:checker");
  });
});

test("an effect of another class is not verified", () => {
  const run = atCheck({ effects: ["irreversible"] });
  expect(effects(run)).toHaveLength(1);
  expect(outcomes(run)).toEqual([]);
});
