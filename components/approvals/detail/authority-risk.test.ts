import { expect, test } from "vitest";
import { classifyLineRisk } from "./authority-risk";

test.each([
  ["No authority change.", "low"],
  ["No authority change. Reads through customers.", "low"],
  ["No authority change. Writes outside the run through customers.", "medium"],
  ["No authority change. Sends data to customers.", "medium"],
  ["May change permissions: plan. Writes outside the run through customers.", "medium"],
  ["Authority may change: the memory below is protected.", "high"],
  ["Irreversible: mail.send cannot be undone.", "high"],
  ["Grants something unknown.", "high"],
])("%s is of %s risk", (line, risk) => {
  expect(classifyLineRisk(line)).toBe(risk);
});
