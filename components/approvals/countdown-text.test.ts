import { expect, test } from "vitest";
import { formatCountdown } from "./countdown-text";

test.each([
  [0, "expired"],
  [-5, "expired"],
  [999, "0:00"],
  [61_000, "1:01"],
  [3_600_000, "1 h 00 min"],
  [86_400_000 + 3 * 3_600_000, "1 d 3 h"],
])("%i ms left reads %s", (leftMs, text) => {
  expect(formatCountdown(leftMs)).toBe(text);
});
