import { expect, test } from "vitest";
import { listFirstSteps, type StepFacts } from "./first-steps";

const done = (facts: Partial<StepFacts>) =>
  listFirstSteps({ runs: [], decided: [], verified: [], ...facts })
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id);

test("ticks only completed steps", () => {
  expect(done({})).toEqual([]);
  expect(done({ runs: [{ id: "r", status: "completed", refusals: 0 }] })).toEqual([]);
  expect(done({ runs: [{ id: "r", status: "failed", refusals: 2 }] })).toEqual(["attack"]);
  expect(done({ decided: [{ status: "expired" }, { status: "void" }] })).toEqual([]);
  expect(done({ decided: [{ status: "rejected" }] })).toEqual(["decide"]);
  expect(done({ verified: ["r"] })).toEqual(["verify"]);
});

test("links the attack step to the run with refusals", () => {
  const [attack] = listFirstSteps({
    runs: [
      { id: "quiet", status: "completed", refusals: 0 },
      { id: "loud", status: "failed", refusals: 1 },
    ],
    decided: [],
    verified: [],
  });

  expect(attack?.href).toBe("/runs/loud");
});
