/** Carpenter checks 20 to 27 (docs/decisions/conformance.md). */
import { expect, test } from "vitest";
import { passes } from "@/lib/graph/judge-rules";
import { getCode, executor, result, update, user, decision, REVIEWER, type TestRun } from "@/lib/engine/testing/run";
import { atExtract, atReview, FORM, judge, judgeNow, review, RULES, says, speak, zone } from "@/lib/engine/testing/zones";

const raised = (run: TestRun) =>
  run
    .state()
    .cells.filter(({ label }) => label.integrity === "reviewed")
    .map(({ path }) => path);
const outcomes = (run: TestRun) => Object.values(run.state().cases).map(({ status }) => status);
const judged = (run: TestRun) =>
  run
    .records()
    .flatMap(({ record }) => record.control)
    .findLast((event) => event.type === "judged");
const judgedWith = (form: unknown, rules = RULES): TestRun => {
  const run = atReview(zone({ judge: judge({ rules }) }), form);
  speak(run, says("approve"));
  judgeNow(run);

  return run;
};

test("20. reviewers' approval alone raises nothing", () => {
  const run = atReview();
  speak(run, says("approve"));
  expect(outcomes(run)).toEqual(["passed"]);
  expect(raised(run)).toEqual([]);
});

test("21. a judge's approval raises exactly the reviewed value", () => {
  const run = judgedWith(FORM);
  expect(raised(run)).toEqual(["good"]);
  expect(run.state().cells.find(({ path }) => path === "good")?.content).toEqual({ known: true, value: FORM });
});

test("22. a judge's rejection fails its node and records the failed rule", () => {
  const run = judgedWith({ ...FORM, seats: 11 });
  expect(judged(run)).toMatchObject({ outcome: "rejected", reason: "rule_failed" });
  expect(run.state()).toMatchObject({ status: "failed", lastError: { code: "judge_rejected" } });
  expect(raised(run)).toEqual([]);
});

test("23. a verdict by an undesignated reviewer, for another target or of unknown kind is none", () => {
  const run = atReview();
  expect(getCode(run.work({ kind: "verdict", task: "reviewer.1" }))).toBe("verdict_unknown");
  expect(getCode(run.propose(executor("judge"), { kind: "verdict", task: "reviewer.0", activation: run.state().activation ?? 0 }))).toBe(
    "node_not_active",
  );
  speak(run, says("approved"));
  expect(outcomes(run)).toEqual(["rejected"]);
  const people = atReview(zone({ review: review({ reviewers: [{ type: "person", role: "reviewer", count: 1 }] }) }));
  const given = decision(people, user(REVIEWER));
  expect(getCode(people.propose(user(REVIEWER), { ...given, transition_digest: "0".repeat(64) }))).toBe("transition_mismatch");
  expect(getCode(people.propose(user(REVIEWER), { ...given, decision: "approved" as never }))).toBe("malformed");
  expect(outcomes(people)).toEqual(["open"]);
});

test("24. unlisted values fail, listed ones pass, and one failed field fails all", () => {
  const only = (values: string[]) => [{ field: "plan", rule: { type: "enum" as const, values } }, ...RULES.slice(1)];
  expect(judged(judgedWith(FORM, only(["team"])))).toMatchObject({ outcome: "approved" });
  expect(judged(judgedWith(FORM, only(["free"])))).toMatchObject({
    outcome: "rejected",
    rules: [
      { field: "plan", passed: false },
      { field: "seats", passed: true },
      { field: "note", passed: true },
    ],
  });
});

test("25. a judge calls no model, and its executor has no result", () => {
  const run = atReview();
  speak(run, says("approve"));
  expect(getCode(run.work({ kind: "model_intent", tokens: 1, cost_micro_usd: 0 }))).toBe("task_unknown");
  expect(getCode(run.work(result(update("good", FORM))))).toBe("action_not_granted");
  const calls = run.state().totalTokens;
  judgeNow(run);
  expect(raised(run)).toEqual(["good"]);
  expect(run.state().totalTokens).toBe(calls);
});

test.each([
  ["no object", "team"],
  ["a field too many", { ...FORM, smuggled: "x" }],
  ["a field too few", { plan: "team" }],
  ["a field of another kind", { ...FORM, seats: 1.5 }],
])("26. an extract that does not match its form exactly is refused: %s", (_name, form) => {
  const run = atExtract();
  expect(getCode(run.work(result(update("form", form))))).toBe("value_invalid");
  expect(getCode(run.work(result(update("form", FORM), update("form", FORM))))).toBe("action_not_granted");
  expect(run.state().cells.some(({ path }) => path === "form")).toBe(false);
});

test("27. text does not pass for a number, boolean or date", () => {
  expect(getCode(atExtract().work(result(update("form", { ...FORM, seats: "3" }))))).toBe("value_invalid");
  expect(passes({ type: "range", min: 1, max: 10 }, "3")).toBe(false);
  expect(passes({ type: "boolean", value: true }, "true")).toBe(false);
  expect(passes({ type: "date", from: "2026-01-01", to: "2026-12-31" }, "2026-13-01")).toBe(false);
});
