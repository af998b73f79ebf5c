/** Carpenter checks 39 and 44 (docs/decisions/conformance.md). */
import { expect, test } from "vitest";
import { agentSchema, type GraphInput } from "@/lib/graph/document";
import { END, TOOLS, version, writer } from "@/lib/engine/testing/kinds";
import { getCode, decideAs, intent, openGate, REVIEWER, started, user, type TestRun } from "@/lib/engine/testing/run";
import { answer, drive, reserve } from "@/lib/engine/testing/work";
import { says } from "@/lib/engine/testing/zones";

type Verification = NonNullable<GraphInput["verification"]>;

const AGENTS = [
  agentSchema.parse({ id: "checker", name: "checker", model: "b:beta" }),
  agentSchema.parse({ id: "writer", name: "writer", model: "c:gamma" }),
];
const CHECKS: Verification["checks"] = [
  { id: "correctness", agent_id: "checker" },
  { id: "docs", agent_id: "writer" },
];

const atChecks = (change: Partial<Verification> = {}): TestRun => {
  const pay = writer("pay", { failure_policy: { attempts: 2, backoff: "fixed", backoff_ms: 0 } });
  const verification = { checks: CHECKS, ...change };
  const run = started(version([pay, END], { verification }, { agents: AGENTS, tools: TOOLS }), { topic: "plans" });
  run.work(intent("crm", "write", { what: "plans", by: "pay" }));

  return run;
};
const check = (run: TestRun, index: number, text: string) => {
  const task = `check.0.${index}`;
  answer(run, reserve(run, task), task, { text });

  return getCode(run.work({ kind: "verdict", task }));
};
const effects = (run: TestRun) => Object.keys(run.state().effects).length;
const outcomes = (run: TestRun) => Object.values(run.state().cases).map(({ status }) => status);

test("39. every declared check must approve, in any order; completed is not passed", () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const run = atChecks();
    const [first = 0, second = 1] = order;
    expect(check(run, first, says("approve"))).toBe("accepted");
    expect([outcomes(run), effects(run)]).toEqual([["open"], 0]);
    check(run, second, says("approve"));
    expect(outcomes(run)).toEqual(["passed"]);
  }
});

test("39. a check without a verdict does not block the run: nothing passes, and it continues as declared", () => {
  const run = atChecks();
  check(run, 0, says("approve"));
  run.work({ kind: "task_failure", task: "check.0.1", code: "model_failed", detail: "" });
  expect(outcomes(run)).toEqual(["rejected"]);
  expect([run.state().status, effects(run)]).toEqual(["failed", 0]);
});

const refuted = (onFailure: Verification["on_failure"]): TestRun => {
  const run = atChecks({ on_failure: onFailure });
  check(run, 0, says("reject"));
  check(run, 1, says("approve"));

  return run;
};

test("44. a failed check ends the run with `fail`", () => {
  const run = refuted("fail");
  expect(run.state()).toMatchObject({ status: "failed", lastError: { code: "verification_failed" } });
  expect(effects(run)).toBe(0);
});

test("44. a failed check repeats the work with `replan`, and checks again", () => {
  const run = refuted("replan");
  expect(run.state().status).toBe("retrying");
  run.pass(10);
  drive(run);
  run.work(intent("crm", "write", { what: "plans", by: "pay" }));
  expect([outcomes(run), effects(run)]).toEqual([["rejected", "open"], 0]);
});

test("44. a failed check goes to a person with `human`, whose rejection ends it", () => {
  const run = refuted("human");
  expect(openGate(run).gate.reason).toBe("review");
  decideAs(run, user(REVIEWER), "reject");
  expect(run.state()).toMatchObject({ status: "failed", lastError: { code: "verification_failed" } });
  expect(effects(run)).toBe(0);
});
