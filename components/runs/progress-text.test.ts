import { expect, it } from "vitest";
import { describeProgress } from "./progress-text";

it.each([
  [{ progress: 3, total: 10 }, "3 of 10"],
  [{ progress: 3, total: null }, "3"],
  [{ progress: 11, total: 10 }, "11"],
  [{ progress: 0.333_333, total: 1 }, "0.33 of 1"],
  [{ progress: 1, total: 0 }, "1"],
])("%o reads %s", (said, text) => {
  expect(describeProgress(said)).toBe(text);
});
