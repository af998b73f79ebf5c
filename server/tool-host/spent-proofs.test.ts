import { expect, it } from "vitest";
import { createSpentProofs } from "./spent-proofs";

it("allows a proof once", () => {
  const spent = createSpentProofs();
  expect([spent.spend("a", false), spent.spend("a", false), spent.spend("b", false)]).toEqual([true, false, true]);
});

it("allows an idempotent call again until it is answered", () => {
  const spent = createSpentProofs();
  expect([spent.spend("a", true), spent.spend("a", true)]).toEqual([true, true]);
  spent.settle("a");
  expect(spent.spend("a", true)).toBe(false);
});

it("forgets the oldest proofs beyond its bound and no others", () => {
  const spent = createSpentProofs();
  for (let index = 0; index <= 50_000; index += 1) spent.spend(String(index), false);
  expect([spent.spend("50000", false), spent.spend("1", false), spent.spend("0", false)]).toEqual([false, false, true]);
});
