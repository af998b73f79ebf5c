import { describe, expect, test } from "vitest";
import { codeOf, type TestRun } from "@/lib/engine/testing/run";
import { ask, drive, failure } from "@/lib/engine/testing/work";
import { atReview, says, speak } from "@/lib/engine/testing/zones";

const outcomes = (run: TestRun) => Object.values(run.state().cases).map(({ status }) => status);
const verdicts = (run: TestRun) =>
  Object.values(run.state().cases).flatMap((found) => found.verdicts.map(({ by, verdict }) => [by, verdict]));

describe("a model's verdict", () => {
  test("is the first thing that it said, however often it is asked again and in whichever attempt", () => {
    const run = atReview();
    ask(run, "reviewer.0", { text: says("reject") });
    ask(run, "reviewer.0", { text: says("approve") });
    run.work({ kind: "verdict", task: "reviewer.0" });
    expect(verdicts(run)).toEqual([["agent:first", "reject"]]);
    const again = atReview();
    ask(again, "reviewer.0", { text: says("reject") });
    again.work(failure("model_failed", { retryable: true }));
    again.pass(60_000 - 1);
    drive(again);
    speak(again, says("approve"));
    expect(verdicts(again)).toEqual([["agent:first", "reject"]]);
  });

  test("that comes after the time of the case does not count: the case is expired", () => {
    const run = atReview();
    ask(run, "reviewer.0", { text: says("approve") });
    run.pass(60_000);
    expect(codeOf(run.work({ kind: "verdict", task: "reviewer.0" }))).toBe("accepted");
    expect(outcomes(run)).toEqual(["expired"]);
    expect(verdicts(run)).toEqual([]);
  });
});
