import { describe, expect, test } from "vitest";
import { END, FETCH, step, TOOLS, version } from "@/lib/engine/testing/kinds";
import { getCode, result, type TestRun } from "@/lib/engine/testing/run";
import { ask, drive, createFailure } from "@/lib/engine/testing/work";
import {
  atExtract,
  atReview,
  EXTRACT,
  fillIn,
  judge,
  judgeNow,
  review,
  says,
  speak,
  ZONE_AGENTS,
  ZONE_MEMORY,
} from "@/lib/engine/testing/zones";

const outcomes = (run: TestRun) => Object.values(run.state().cases).map(({ status }) => status);
const verdicts = (run: TestRun) =>
  Object.values(run.state().cases).flatMap((found) => found.verdicts.map(({ by, verdict }) => [by, verdict]));

describe("a model's verdict", () => {
  test("is its first final answer over all attempts, however often it is asked again", () => {
    const run = atReview();
    ask(run, "reviewer.0", { text: says("reject") });
    ask(run, "reviewer.0", { text: says("approve") });
    run.work({ kind: "verdict", task: "reviewer.0" });
    expect(verdicts(run)).toEqual([["agent:first", "reject"]]);
    const again = atReview();
    ask(again, "reviewer.0", { text: says("reject") });
    again.work(createFailure("model_failed", { retryable: true }));
    again.pass(60_000 - 1);
    drive(again);
    speak(again, says("approve"));
    expect(verdicts(again)).toEqual([["agent:first", "reject"]]);
  });

  test("after the deadline does not count: the case expires", () => {
    const run = atReview();
    ask(run, "reviewer.0", { text: says("approve") });
    run.pass(60_000);
    expect(getCode(run.work({ kind: "verdict", task: "reviewer.0" }))).toBe("accepted");
    expect(outcomes(run)).toEqual(["expired"]);
    expect(verdicts(run)).toEqual([]);
  });
});

test("models who rejected a value cannot raise it when asked again", () => {
  const asked = review({ rework: { node: "pause", limit: 2 } });
  const nodes = [FETCH, EXTRACT, step("pause"), asked, judge(), END];
  const run = atExtract(version(nodes, { memory: ZONE_MEMORY }, { agents: [...ZONE_AGENTS], tools: TOOLS }));
  fillIn(run);
  for (const verdict of ["reject", "approve"]) {
    run.work(result());
    drive(run);
    speak(run, says(verdict));
  }
  expect(outcomes(run)).toEqual(["rejected", "passed"]);
  judgeNow(run);
  expect(run.state().cells.some(({ label }) => label.integrity === "reviewed")).toBe(false);
});
