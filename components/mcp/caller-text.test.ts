import { expect, test } from "vitest";
import { describeBetween, describeCaller } from "./caller-text";

test("marks a caller that the registry does not allow", () => {
  const caller = { node: "plan", by: ["node", "planner"] };

  expect(describeCaller(caller, ["node"], () => "Plan the change")).toBe("Plan the change: a tool node; the agent planner (not allowed)");
  expect(describeCaller(caller, ["node", "planner"], () => "Plan the change")).not.toContain("not allowed");
});

test("counts the reachable actions that need approval and names the gates", () => {
  const nameOf = () => "Approve";

  expect(describeBetween({ gated: 2, all: 3, gates: ["ask"] }, nameOf)).toBe("2 of 3 reachable actions need approval: “Approve”.");
  expect(describeBetween({ gated: 1, all: 1, gates: [] }, nameOf)).toBe("1 of 1 reachable action needs approval, by rule.");
  expect(describeBetween({ gated: 0, all: 4, gates: [] }, nameOf)).toBe("0 of 4 reachable actions need approval.");
  expect(describeBetween({ gated: 0, all: 0, gates: [] }, nameOf)).toBe("none: it reaches nothing outside the run.");
});
