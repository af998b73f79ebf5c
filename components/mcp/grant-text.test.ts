import { expect, test } from "vitest";
import { restsOn, grantText } from "./grant-text";

test("each verdict says what it rests on", () => {
  expect(grantText({ verdict: "used", runs: 12, used: 3 })).toBe("Used in 3 of 12 runs");
  expect(grantText({ verdict: "unused", runs: 50, used: 0 })).toBe("Not used in 50 runs");
  expect(grantText({ verdict: "undo", runs: 50, used: 0 })).toBe("Not used, but it takes other calls back");
  expect(grantText({ verdict: "too_few", runs: 1, used: 0 })).toBe("Not used; 1 run is too few to say");
  expect(grantText({ verdict: "too_few", runs: 4, used: 0 })).toBe("Not used; 4 runs are too few to say");
  expect(grantText({ verdict: "too_few", runs: 0, used: 0 })).toBe("No run could call it yet");
  expect(restsOn(1_200)).toBe("By the ledgers of the last 1,200 runs that called real tools.");
});
