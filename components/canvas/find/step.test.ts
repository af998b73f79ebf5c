import { expect, test } from "vitest";
import { hitBeside } from "./step";

test("wraps around: previous starts at the last hit, next after the last is the first", () => {
  expect([hitBeside(-1, -1, 3), hitBeside(-1, 1, 3), hitBeside(2, 1, 3), hitBeside(0, -1, 3), hitBeside(1, -1, 3)]).toEqual([
    2, 0, 0, 2, 0,
  ]);
  expect([hitBeside(-1, -1, 1), hitBeside(-1, 1, 0)]).toEqual([0, -1]);
});
