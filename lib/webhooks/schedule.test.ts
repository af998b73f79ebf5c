import fc from "fast-check";
import { expect, test } from "vitest";
import { isGivenUp, MOST_ATTEMPTS, waitAfterMs } from "./schedule";

const waits = (id: string): number[] => Array.from({ length: MOST_ATTEMPTS - 1 }, (_, n) => waitAfterMs(id, n + 1) ?? 0);
const DAY_MS = 86_400_000;

test("ten attempts are made over about a day, each wait longer than the one before, and then no more", () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const all = waits(id);
      const total = all.reduce((sum, wait) => sum + wait, 0);
      expect(total).toBeGreaterThan(0.8 * DAY_MS);
      expect(total).toBeLessThan(1.25 * DAY_MS);
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      expect(waitAfterMs(id, MOST_ATTEMPTS)).toBeNull();
    }),
  );
});

test("what failed together does not come back together", () => {
  const firsts = Array.from({ length: 50 }, (_, n) => waits(`delivery ${n}`)[0] ?? 0);
  expect(new Set(firsts).size).toBeGreaterThan(40);
  expect(Math.min(...firsts)).toBeGreaterThanOrEqual(7_200);
  expect(Math.max(...firsts)).toBeLessThanOrEqual(10_800);
});

test("an endpoint is given up when it failed both often and for long", () => {
  expect([isGivenUp(19, 3 * DAY_MS), isGivenUp(500, 2 * DAY_MS - 1), isGivenUp(20, 2 * DAY_MS)]).toEqual([false, false, true]);
});
