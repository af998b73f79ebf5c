import fc from "fast-check";
import { expect, test } from "vitest";
import { isGivenUp, MOST_ATTEMPTS, waitAfterMs } from "./schedule";

const waits = (id: string): number[] => Array.from({ length: MOST_ATTEMPTS - 1 }, (_, n) => waitAfterMs(id, n + 1) ?? 0);
const DAY_MS = 86_400_000;

test("makes ten attempts over about a day, with growing waits, and then stops", () => {
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

test("spreads retries of simultaneous failures", () => {
  const firsts = Array.from({ length: 50 }, (_, n) => waits(`delivery ${n}`)[0] ?? 0);
  expect(new Set(firsts).size).toBeGreaterThan(40);
  expect(Math.min(...firsts)).toBeGreaterThanOrEqual(7_200);
  expect(Math.max(...firsts)).toBeLessThanOrEqual(10_800);
});

test("gives an endpoint up after failing both often and long", () => {
  expect([isGivenUp(19, 3 * DAY_MS), isGivenUp(500, 2 * DAY_MS - 1), isGivenUp(20, 2 * DAY_MS)]).toEqual([false, false, true]);
});
