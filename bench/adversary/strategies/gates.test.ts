import { expect, test } from "vitest";
import { episodeOf, violationsOf } from "@/bench/adversary/episode";

const AIM = { scenarios: ["map that asks"], moves: ["approve what does not exist", "approve a replaced proposal"] };

test.each([17, 26, 29, 35, 108, 128])("approves a replaced proposal only if the edit replaced it, in episode %i", (seed) => {
  expect(violationsOf(episodeOf(seed, "A5", AIM))).toEqual([]);
});
