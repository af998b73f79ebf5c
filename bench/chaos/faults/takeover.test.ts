import { describe, expect, it } from "vitest";
import { fateOf, type Lease } from "./takeover";

const BEFORE: Lease = { id: "r1", status: "running", version: 5, lease_epoch: 2, until: 10_000, wake: null, now: 1_000 };

const fate = (change: Partial<Lease>, wasOrphan = false) => fateOf(BEFORE, { ...BEFORE, now: 11_000, ...change }, wasOrphan);

describe("a leased run after its runner was killed", () => {
  it.each<[string, Partial<Lease>, ReturnType<typeof fateOf>]>([
    ["its lease has not run out yet", { now: 9_000 }, "open"],
    ["its lease was renewed: another runner had it", { until: 20_000 }, "driven"],
    ["its lease was given back", { until: null }, "driven"],
    ["it was given back, and taken in order", { now: 9_000, lease_epoch: 3 }, "driven"],
    ["its lease ran out in the middle of work", {}, "orphan"],
    ["its lease ran out while it was to be tried again", { status: "retrying", wake: 10_500 }, "orphan"],
    ["its lease ran out, and it is to be tried again later", { status: "retrying", wake: 90_000 }, "driven"],
    ["it was completed before its runner could give the lease back", { status: "completed", version: 6 }, "driven"],
    ["it waits for a person, and its runner could not release the lease", { status: "waiting", version: 6 }, "driven"],
    ["another runner has taken the lease and committed nothing yet", { lease_epoch: 3, until: 21_000 }, "open"],
    ["another runner has taken the lease and committed", { lease_epoch: 3, until: 21_000, version: 6 }, "taken"],
  ])("%s", (_what, change, expected) => {
    expect(fate(change)).toBe(expected);
  });

  it("an orphan taken before its lease expired stays one until another runner continues it", () => {
    expect(fate({ now: 9_000, lease_epoch: 3 }, true)).toBe("open");
    expect(fate({ now: 9_000, lease_epoch: 3, version: 6 }, true)).toBe("taken");
  });
});
