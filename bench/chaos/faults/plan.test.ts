import { describe, expect, it } from "vitest";
import { randomOf } from "@/bench/adversary/random";
import { GRAPH_NAMES } from "@/bench/chaos/load/graphs";
import { scriptRuns } from "@/bench/chaos/load/script";
import { FAULT_KINDS, planFaults } from "./plan";

const WANTED = { seconds: 180, runners: 3, only: null } as const;

describe("a fault plan", () => {
  it("is equal for equal seeds only", () => {
    expect(planFaults(randomOf(7), WANTED)).toEqual(planFaults(randomOf(7), WANTED));
    expect(planFaults(randomOf(8), WANTED)).not.toEqual(planFaults(randomOf(7), WANTED));
  });

  it("schedules every kind of fault within the run and spares the first runner", () => {
    const faults = planFaults(randomOf(1), WANTED);
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS));
    expect(faults.filter(({ atMs }) => atMs < 18_000 || atMs > 162_000)).toEqual([]);
    expect(new Set(faults.map(({ place }) => place))).toEqual(new Set([1, 2]));
  });

  it("schedules at least three pauses while runs still start, for any seed", () => {
    const early = Array.from({ length: 100 }, (_, seed) =>
      planFaults(randomOf(seed), WANTED).filter(({ kind, atMs }) => kind === "pause" && atMs <= WANTED.seconds * 500),
    );
    expect(Math.min(...early.map(({ length }) => length))).toBeGreaterThanOrEqual(3);
  });

  it("schedules only the requested kinds", () => {
    expect(new Set(planFaults(randomOf(1), { ...WANTED, only: "crash" }).map(({ kind }) => kind))).toEqual(new Set(["crash"]));
  });
});

describe("a run script", () => {
  it("is equal for equal seeds, with every graph and decision", () => {
    const scripts = scriptRuns(randomOf(3), 1_000, 180);
    expect(scriptRuns(randomOf(3), 1_000, 180)).toEqual(scripts);
    expect(new Set(scripts.map(({ graph }) => graph))).toEqual(new Set(GRAPH_NAMES));
    expect(new Set(scripts.map(({ gates }) => gates))).toEqual(new Set(["approve", "reject", "leave"]));
    expect(new Set(scripts.map(({ id }) => id)).size).toBe(1_000);
    expect(scripts.filter(({ cancelAtMs }) => cancelAtMs !== null).length).toBeGreaterThan(40);
    expect(scripts.filter(({ fork }) => fork !== null).length).toBeGreaterThan(15);
  });
});
