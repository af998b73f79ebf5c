/** Carpenter checks 38 to 40 (docs/decisions/conformance.md). */
import { expect, test } from "vitest";
import { getCode, engine, openGate, result, update, type TestRun } from "@/lib/engine/testing/run";
import { drive } from "@/lib/engine/testing/work";
import { atReview, fillIn, FORM, openCase, review, says, speak, zone } from "@/lib/engine/testing/zones";

const outcomes = (run: TestRun) => Object.values(run.state().cases).map(({ status }) => status);

test.each(["clerk", "twin"])("38. rejects review by the producer, and by the same model under another name: %s", (agent_id) => {
  const run = atReview(zone({ review: review({ reviewers: [{ type: "agent", agent_id }] }) }));
  expect(run.state().lastError?.code).toBe("reviewer_is_producer");
  expect(outcomes(run)).toEqual([]);
});

test("38. a review opens no other review, and writes nothing", () => {
  const run = atReview();
  const { activation } = run.state();
  expect(openCase(run)).toBeDefined();
  expect(getCode(run.propose(engine, { kind: "open_case", activation: activation ?? 0 }))).toBe("case_unknown");
  expect(getCode(run.work({ kind: "open_case" }))).toBe("principal_not_allowed");
  expect(getCode(run.work(result(update("form", FORM))))).toBe("action_not_granted");
});

test("40. at the rework limit people are asked and see the findings", () => {
  const run = atReview(zone({ review: review({ findings: ["wrong"], rework: { node: "extract", limit: 1 } }) }));
  const no = says("reject", { findings: [{ code: "wrong", start: 0, end: 4 }] });
  speak(run, no);
  expect(run.state().currentNode).toBe("extract");
  fillIn(run);
  drive(run);
  speak(run, no);
  expect(outcomes(run)).toEqual(["rejected", "rejected", "open"]);
  expect(openGate(run).gate.reason).toBe("review");
  const found = Object.values(run.state().cases).flatMap(({ verdicts }) => verdicts.flatMap(({ findings }) => findings));
  expect(found).toEqual([
    { code: "wrong", start: 0, end: 4 },
    { code: "wrong", start: 0, end: 4 },
  ]);
});
