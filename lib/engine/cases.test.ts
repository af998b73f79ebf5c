import { expect, test } from "vitest";
import { atReview, judgeNow, says, speak } from "@/lib/engine/testing/zones";
import { codeOf } from "@/lib/engine/testing/run";

const labelAt = (run: ReturnType<typeof atReview>, path: string) =>
  run
    .state()
    .cells.filter((cell) => cell.path === path)
    .map(({ label }) => label.integrity);

test("what reviewers and rules let pass is raised as a new cell, and its source stays as it was", () => {
  const run = atReview();
  expect(codeOf(speak(run, says("approve")))).toBe("accepted");
  expect(run.state().currentNode).toBe("judge");
  expect(codeOf(judgeNow(run))).toBe("accepted");
  expect(labelAt(run, "form")).toEqual(["untrusted"]);
  expect(labelAt(run, "mail")).toEqual(["untrusted"]);
  expect(labelAt(run, "good")).toEqual(["reviewed"]);
});
