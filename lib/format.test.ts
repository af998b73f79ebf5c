import { expect, test } from "vitest";
import { formatAbsoluteTime, count, formatMoney, formatRelativeTime } from "./format";

const MINUTE_MS = 60_000;

test("formats relative times, past and future", () => {
  const told = [10_000, 3 * MINUTE_MS, 90 * MINUTE_MS, 50 * 60 * MINUTE_MS].map((agoMs) => formatRelativeTime(-agoMs, 0));

  expect(told).toEqual(["just now", "3 min ago", "2 h ago", "2 d ago"]);
  expect(formatRelativeTime(5 * MINUTE_MS, 0)).toBe("in 5 min");
});

test("formats absolute times the same on every machine", () => {
  expect(formatAbsoluteTime(0)).toBe("1970-01-01 00:00:00 UTC");
});

test("keeps significant decimals of small amounts", () => {
  expect([0, 12, 9_999, 10_000, 1_234_567].map(formatMoney)).toEqual(["$0.00", "$0.000012", "$0.009999", "$0.01", "$1.23"]);
});

test("groups digits", () => {
  expect(count(1_234_567)).toBe("1,234,567");
});
