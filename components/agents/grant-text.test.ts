import { expect, test } from "vitest";
import { restsOn, grantText } from "./grant-text";

test("formats each verdict with its evidence", () => {
  expect(grantText({ verdict: "used", runs: 12, used: 3 })).toBe("Used in 3 of 12 runs");
  expect(grantText({ verdict: "unused", runs: 50, used: 0 })).toBe("Not used in 50 runs");
  expect(grantText({ verdict: "undo", runs: 50, used: 0 })).toBe("Not used, but undoes other calls");
  expect(grantText({ verdict: "too_few", runs: 1, used: 0 })).toBe("Not used in 1 run; too few to tell");
  expect(grantText({ verdict: "too_few", runs: 4, used: 0 })).toBe("Not used in 4 runs; too few to tell");
  expect(grantText({ verdict: "too_few", runs: 0, used: 0 })).toBe("No run could call it yet");
  expect(restsOn(1_200)).toBe("Based on the last 1,200 runs that called real tools.");
});
