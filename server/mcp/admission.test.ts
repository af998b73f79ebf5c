import { describe, expect, it } from "vitest";
import { DEFAULT_CALL_LIMITS, type CallLimits } from "@/lib/mcp/call-limits";
import { createAdmission, type Entry } from "./admission";

const clockAt = (at: number) => {
  let now = at;

  return { now: () => now, id: () => "id", pass: (ms: number) => (now += ms) };
};

const limits = (change: Partial<CallLimits> = {}): CallLimits => ({
  ...DEFAULT_CALL_LIMITS,
  concurrency: 2,
  breaker: { faults: 2, cool_down_ms: 10_000 },
  ...change,
});

const never = new AbortController().signal;

const opened = (clock = clockAt(0)) => {
  const admission = createAdmission(clock);

  return { clock, enter: (signal = never, change: Partial<CallLimits> = {}) => admission.enter("w/s/t", limits(change), signal) };
};

const inside = (entry: Entry | "busy" | "cooling"): Entry => {
  if (typeof entry === "string") throw new Error(entry);

  return entry;
};

describe("callers of one tool", () => {
  it("enter up to the limit, then in order as others leave", async () => {
    const { enter } = opened();
    const [first, second] = [inside(await enter()), inside(await enter())];
    const order: string[] = [];
    const third = enter().then((entry) => {
      order.push("third");

      return inside(entry);
    });
    const fourth = enter().then((entry) => {
      order.push("fourth");

      return inside(entry);
    });
    first.leave(false);
    const let3 = await third;
    expect(order).toEqual(["third"]);
    expect(let3.waited).toBe(true);
    second.leave(false);
    await fourth;
    expect(order).toEqual(["third", "fourth"]);
  });

  it("find it busy when the line is full", async () => {
    const { enter } = opened();
    const [first] = [inside(await enter()), inside(await enter())];
    const waiting = Array.from({ length: 256 }, () => enter());
    expect(await enter()).toBe("busy");
    first.leave(false);
    expect(inside(await Promise.race(waiting)).waited).toBe(true);
  });

  it("find it busy when the line is too slow", async () => {
    const { enter } = opened();
    await enter();
    await enter();
    expect(await enter(never, { total_ms: 20 })).toBe("busy");
  });

  it("leave the line on abort, blocking no one", async () => {
    const { enter } = opened();
    const [first] = [inside(await enter()), inside(await enter())];
    const stop = new AbortController();
    const given = enter(stop.signal);
    const next = enter();
    stop.abort(new Error("cancelled"));
    await expect(given).rejects.toThrow("cancelled");
    first.leave(false);
    expect(inside(await next).waited).toBe(true);
  });

  it("of another tool are unaffected", async () => {
    const admission = createAdmission(clockAt(0));
    const one = limits({ concurrency: 1 });
    await admission.enter("w/s/a", one, never);
    expect(inside(await admission.enter("w/s/b", one, never)).waited).toBe(false);
    expect(inside(await admission.enter("v/s/a", one, never)).waited).toBe(false);
  });
});

describe("a failing tool", () => {
  it("cools down after consecutive faults, then gets one trial call, and recovers on its success", async () => {
    const { clock, enter } = opened();
    for (const fault of [true, true]) inside(await enter()).leave(fault);
    expect(await enter()).toBe("cooling");
    clock.pass(9_999);
    expect(await enter()).toBe("cooling");
    clock.pass(1);
    const trial = inside(await enter());
    expect(await enter()).toBe("cooling");
    trial.leave(false);
    expect(inside(await enter()).waited).toBe(false);
  });

  it("cools down again when the trial fails", async () => {
    const { clock, enter } = opened();
    for (const fault of [true, true]) inside(await enter()).leave(fault);
    clock.pass(10_000);
    inside(await enter()).leave(true);
    expect(await enter()).toBe("cooling");
  });

  it("is not cooled down for non-consecutive faults or calls that were not made", async () => {
    const { enter } = opened();
    for (const fault of [true, false, true, null]) inside(await enter()).leave(fault);
    expect(inside(await enter()).waited).toBe(false);
    inside(await enter()).leave(null);
  });

  it("admits no caller who waited meanwhile", async () => {
    const { enter } = opened();
    const [first, second] = [inside(await enter()), inside(await enter())];
    const waiting = enter();
    first.leave(true);
    // Admitted before the second fault.
    inside(await waiting);
    const late = enter();
    second.leave(true);
    expect(await late).toBe("cooling");
    expect(await enter()).toBe("cooling");
  });
});
