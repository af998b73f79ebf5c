import { expect, test } from "vitest";
import { findMedian } from "./interval";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

// From tables of the sign test.
test.each([
  { count: 6, low: 1, high: 6 },
  { count: 9, low: 2, high: 8 },
  { count: 15, low: 4, high: 12 },
  { count: 20, low: 6, high: 15 },
  { count: 50, low: 18, high: 33 },
])("leaves out the tails of $count values in any order", ({ count, low, high }) => {
  expect(findMedian(upTo(count).toReversed())).toEqual({ median: (count + 1) / 2, low, high });
});

test("claims no interval for few values", () => {
  expect(findMedian([3, 1, 2])).toEqual({ median: 2, low: 1, high: 3 });
});
