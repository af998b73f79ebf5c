import { expect, test } from "vitest";
import { betweenText, callerText } from "./caller-text";

test("a caller that the registry does not allow is said to be refused, whatever the graph grants", () => {
  const caller = { node: "plan", by: ["node", "planner"] };

  expect(callerText(caller, ["node"], () => "Plan the change")).toBe(
    "Plan the change: a tool node; the agent planner, which is not allowed",
  );
  expect(callerText(caller, ["node", "planner"], () => "Plan the change")).not.toContain("not allowed");
});

test("what waits for a person is counted among everything that is reached, and who waits is named", () => {
  const nameOf = () => "Approve";

  expect(betweenText({ gated: 2, all: 3, gates: ["ask"] }, nameOf)).toBe("2 of 3 things that it reaches wait for a person: “Approve”.");
  expect(betweenText({ gated: 1, all: 1, gates: [] }, nameOf)).toBe("1 of 1 thing that it reaches waits for a person, by rule.");
  expect(betweenText({ gated: 0, all: 4, gates: [] }, nameOf)).toBe("0 of 4 things that it reaches wait for a person.");
  expect(betweenText({ gated: 0, all: 0, gates: [] }, nameOf)).toBe("none; there is nothing outside the run that it reaches.");
});
