import { expect, test } from "vitest";
import { findHitBeside } from "./step";

test("wraps around: previous starts at the last hit, next after the last is the first", () => {
  expect([
    findHitBeside(-1, -1, 3),
    findHitBeside(-1, 1, 3),
    findHitBeside(2, 1, 3),
    findHitBeside(0, -1, 3),
    findHitBeside(1, -1, 3),
  ]).toEqual([2, 0, 0, 2, 0]);
  expect([findHitBeside(-1, -1, 1), findHitBeside(-1, 1, 0)]).toEqual([0, -1]);
});
