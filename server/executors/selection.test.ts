import { array, assert, constantFrom, double, property, string } from "fast-check";
import { expect, test } from "vitest";
import { createChance } from "@/server/executors/chance";
import { rankFitness, selectParents } from "@/server/executors/selection";

const first = (seed: string, name: string): number[] => {
  const random = createChance(seed, name);

  return [random(), random(), random()];
};

test("the numbers of a seed and name never change across machines and versions", () => {
  expect(first("5eed", "0.0")).toEqual([0.09172355732880533, 0.441544855479151, 0.5343484878540039]);
  expect(first("5eed", "0.1")).toEqual([0.8164814973715693, 0.03589221416041255, 0.5317492189351469]);
});

test("numbers are in [0, 1) and depend only on seed and name", () => {
  assert(
    property(string(), string(), (seed, name) => {
      const numbers = first(seed, name);
      expect(first(seed, name)).toEqual(numbers);
      for (const number of numbers) expect(number >= 0 && number < 1).toBe(true);
    }),
  );
});

const how = constantFrom("rank" as const, "tournament" as const, "roulette" as const);
const fitness = array(double({ min: 0, max: Number.MAX_VALUE, noNaN: true }), { minLength: 1, maxLength: 12 });

test("picks two different parents, or the only one", () => {
  assert(
    property(fitness, how, string(), (values, selection, seed) => {
      const parents = selectParents(values, { selection, tournament_size: 3 }, createChance(seed, "x"));
      expect(new Set(parents).size).toBe(Math.min(2, values.length));
      for (const parent of parents) expect(parent in values).toBe(true);
    }),
  );
});

test.each(["rank", "tournament", "roulette"] as const)(
  "by %s the fittest is most often the first parent, the least fit least often",
  (selection) => {
    const wins = [0, 0, 0, 0];
    for (let n = 0; n < 2_000; n++) {
      const [parent = 0] = selectParents([4, 1, 3, 2], { selection, tournament_size: 2 }, createChance("seed", String(n)));
      wins[parent] = (wins[parent] ?? 0) + 1;
    }
    expect(rankFitness(wins)).toEqual([0, 2, 3, 1]);
  },
);

test("a full tournament picks the fittest, and a roulette never picks the worthless while others are not", () => {
  for (let n = 0; n < 200; n++) {
    expect(selectParents([1, 9, 2], { selection: "tournament", tournament_size: 3 }, createChance("s", String(n)))[0]).toBe(1);
    expect(selectParents([0, 5, 0], { selection: "roulette", tournament_size: 3 }, createChance("s", String(n)))[0]).toBe(1);
  }
});
