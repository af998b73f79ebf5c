import { describe, expect, test } from "vitest";
import type { Clock } from "@/server/clock";
import { createRateLimiter } from "./rate-limit";

const clockAt = () => {
  const clock = { nowMs: 0 };
  const port: Clock = { now: () => clock.nowMs, id: () => "" };

  return { clock, port };
};

describe("a rate limiter", () => {
  test("rejects the attempt above the limit without affecting other keys", () => {
    const limiter = createRateLimiter({ limit: 2, windowMs: 1000 }, clockAt().port);

    expect([limiter.take("a"), limiter.take("a"), limiter.take("a"), limiter.take("b")]).toEqual([true, true, false, true]);
  });

  test("counts batched attempts", () => {
    const limiter = createRateLimiter({ limit: 5, windowMs: 1000 }, clockAt().port);

    expect([limiter.take("a", 3), limiter.take("a", 2), limiter.take("a"), limiter.take("b", 6)]).toEqual([true, true, false, false]);
  });

  test("allows again after the window", () => {
    const { clock, port } = clockAt();
    const limiter = createRateLimiter({ limit: 1, windowMs: 1000 }, port);
    limiter.take("a");
    clock.nowMs = 999;
    expect(limiter.take("a")).toBe(false);
    clock.nowMs = 1000;
    expect(limiter.take("a")).toBe(true);
  });

  test("forgets a key on success", () => {
    const limiter = createRateLimiter({ limit: 1, windowMs: 1000 }, clockAt().port);
    limiter.take("a");
    limiter.clear("a");

    expect(limiter.take("a")).toBe(true);
  });

  test("keeps the newest keys when flooded, bounding memory", () => {
    const limiter = createRateLimiter({ limit: 1, windowMs: 1000 }, clockAt().port);
    for (let index = 0; index < 10_001; index += 1) limiter.take(`key ${index}`);

    expect(limiter.take("key 10000")).toBe(false);
  });
});
