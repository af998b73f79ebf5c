import { describe, expect, test } from "vitest";
import { DEFAULT_TOKEN_LIMITS } from "@/lib/outside/token-limits";
import { DEFAULT_LIMIT_TEXTS, readLimits, describeUse } from "./token-limits";

describe("readLimits", () => {
  test("returns the defaults for the initial texts", () => {
    expect(readLimits(DEFAULT_LIMIT_TEXTS)).toMatchObject({ limits: DEFAULT_TOKEN_LIMITS, isValid: true });
  });

  test("converts US dollars to micro-USD", () => {
    expect(readLimits({ runs: " 10 ", sessions: "1", micro_usd: "0.29" }).limits).toEqual({ runs: 10, sessions: 1, micro_usd: 290_000 });
  });

  test.each([
    ["runs", "0", "Enter 1 to 10,000."],
    ["runs", "1e3", "Enter 1 to 10,000."],
    ["sessions", "", "Enter 1 to 10,000."],
    ["sessions", "10001", "Enter 1 to 10,000."],
    ["micro_usd", "0", "Enter $0.01 to $10000.00."],
    ["micro_usd", "-5", "Enter $0.01 to $10000.00."],
    ["micro_usd", "1.005", "Enter $0.01 to $10000.00."],
  ] as const)("say what may be entered: %s %j", (limit, text, problem) => {
    const { problems, isValid } = readLimits({ ...DEFAULT_LIMIT_TEXTS, [limit]: text });
    expect([problems[limit], isValid]).toEqual([problem, false]);
  });
});

test("shows the usage of each limit and marks those that are used up", () => {
  expect(describeUse({ runs: 12, sessions: 200, micro_usd: 420_000 }, DEFAULT_TOKEN_LIMITS)).toEqual([
    { text: "12 of 200 runs", isFull: false },
    { text: "200 of 200 sessions", isFull: true },
    { text: "$0.42 of $50.00", isFull: false },
  ]);
});
