import { assert, double, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { agentConfigSchema } from "@/lib/graph/kinds/agent";
import { isSettled } from "@/server/executors/annealing";
import { computeTemperature } from "@/server/executors/temperature";

const annealing = agentConfigSchema.required({ annealing: true }).parse({ agent_id: "a", annealing: {} }).annealing;

test("starts and ends at the configured temperatures and never rises", () => {
  assert(
    property(
      integer({ min: 2, max: 100 }),
      double({ min: 0, max: 2, noNaN: true }),
      double({ min: 0, max: 1, noNaN: true }),
      (steps, initial, part) => {
        const final = initial * part;
        const all = Array.from({ length: steps }, (_, step) => computeTemperature(step, steps, initial, final));
        expect(all[0]).toBeCloseTo(initial, 3);
        expect(all.at(-1)).toBeCloseTo(final, 3);
        expect(all.toSorted((a, b) => b - a)).toEqual(all);
      },
    ),
  );
});

test("falls geometrically, or linearly when it ends at 0", () => {
  expect([0, 1, 2].map((step) => computeTemperature(step, 3, 1, 0.25))).toEqual([1, 0.5, 0.25]);
  expect([0, 1, 2].map((step) => computeTemperature(step, 3, 1, 0))).toEqual([1, 0.5, 0]);
  expect(computeTemperature(0, 1, 1.5, 0.1)).toBe(1.5);
});

test("ends at the threshold, and when the last answer barely improved", () => {
  const options = { ...annealing, threshold: 0.8, diminishing_returns_delta: 0.1 };

  expect(isSettled(0.8, null, options)).toBe(true);
  expect(isSettled(0.1, null, options)).toBe(false);
  expect(isSettled(0.6, 0.4, options)).toBe(false);
  expect(isSettled(0.45, 0.4, options)).toBe(true);
  expect(isSettled(0.2, 0.4, options)).toBe(true);
});
