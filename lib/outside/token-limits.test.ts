import { describe, expect, test } from "vitest";
import { DAY_MS, findRoomAt, tokenLimitsSchema, toUsed } from "./token-limits";

const runs = [10, 30, 20].map((atMs) => ({ atMs, amount: 1 }));

describe("room within 24 hours", () => {
  test.each([
    [4, 10 + DAY_MS],
    [3, 10 + DAY_MS],
    [2, 20 + DAY_MS],
    [1, 30 + DAY_MS],
  ])("a limit of %i has room when enough usage is a day old", (limit, at) => expect(findRoomAt(runs, limit)).toBe(at));

  test("waits for the missing amount, from any run", () => {
    const costs = [
      { atMs: 1, amount: 5 },
      { atMs: 2, amount: 90 },
      { atMs: 3, amount: 10 },
    ];
    expect([105, 100, 10].map((limit) => findRoomAt(costs, limit))).toEqual([1 + DAY_MS, 2 + DAY_MS, 3 + DAY_MS]);
    expect(findRoomAt([], 10)).toBeNull();
    expect(toUsed({ runs, sessions: [], micro_usd: costs })).toEqual({ runs: 3, sessions: 0, micro_usd: 105 });
  });
});

test.each([{ runs: 0 }, { runs: 10_001 }, { sessions: 0 }, { micro_usd: 9_999 }, { micro_usd: 10_000_000_001 }, { micro_usd: 10_000.5 }])(
  "refuses limits out of bounds: %o",
  (change) => {
    const least = { runs: 1, sessions: 1, micro_usd: 10_000 };
    expect(tokenLimitsSchema.safeParse(least).success).toBe(true);
    expect(tokenLimitsSchema.safeParse({ ...least, ...change }).success).toBe(false);
  },
);
