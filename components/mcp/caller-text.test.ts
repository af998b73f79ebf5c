import { expect, test } from "vitest";
import { callerText } from "./caller-text";

test("a caller that the registry does not allow is said to be refused, whatever the graph grants", () => {
  const caller = { node: "plan", by: ["node", "planner"] };

  expect(callerText(caller, ["node"], () => "Plan the change")).toBe(
    "Plan the change: a tool node; the agent planner, which is not allowed",
  );
  expect(callerText(caller, ["node", "planner"], () => "Plan the change")).not.toContain("not allowed");
});
