import { describe, expect, it } from "vitest";
import { fateOf, type Lease } from "./takeover";

const BEFORE: Lease = { id: "r1", status: "running", version: 5, lease_epoch: 2, until: 10_000, wake: null, now: 1_000 };

const fate = (change: Partial<Lease>, wasOrphan = false) => fateOf(BEFORE, { ...BEFORE, now: 11_000, ...change }, wasOrphan);

describe("a leased run after its runner was killed", () => {
  it.each<[string, Partial<Lease>, ReturnType<typeof fateOf>]>([
    ["its lease has not expired", { now: 9_000 }, "open"],
    ["its lease was renewed by another runner", { until: 20_000 }, "driven"],
    ["its lease was released", { until: null }, "driven"],
    ["its lease was released, then taken by the next runner", { now: 9_000, lease_epoch: 3 }, "driven"],
    ["its lease expired in the middle of work", {}, "orphan"],
    ["its lease expired when a retry was due", { status: "retrying", wake: 10_500 }, "orphan"],
    ["its lease expired before a later retry", { status: "retrying", wake: 90_000 }, "driven"],
    ["it completed before its runner released the lease", { status: "completed", version: 6 }, "driven"],
    ["it waits for a person and its lease was not released", { status: "waiting", version: 6 }, "driven"],
    ["another runner took the lease and has committed nothing yet", { lease_epoch: 3, until: 21_000 }, "open"],
    ["another runner took the lease and committed", { lease_epoch: 3, until: 21_000, version: 6 }, "taken"],
  ])("%s", (_what, change, expected) => {
    expect(fate(change)).toBe(expected);
  });

  it("stays an orphan until another runner continues it, even if taken before its lease expired", () => {
    expect(fate({ now: 9_000, lease_epoch: 3 }, true)).toBe("open");
    expect(fate({ now: 9_000, lease_epoch: 3, version: 6 }, true)).toBe("taken");
  });
});
