import { array, assert, constantFrom, double, integer, property, record, shuffledSubarray } from "fast-check";
import { expect, test } from "vitest";
import { findLeaders, tallyVotes, type Vote } from "@/server/executors/tally";

const vote = record<Vote>({
  voter: constantFrom("a", "b", "c"),
  vote: constantFrom("yes", "no", { x: 1, y: [2] }, null),
  weight: double({ min: 0.001, max: 1_000, noNaN: true }),
});

test("votes are equal when their canonical JSON is", () => {
  const one = { voter: "a", vote: { x: 1, y: 2 }, weight: 1 };
  const two = { voter: "b", vote: { y: 2, x: 1 }, weight: 1 };

  expect(tallyVotes([one, two])).toEqual([{ vote: { x: 1, y: 2 }, votes: 2, weight: 2_000_000 }]);
  expect(
    tallyVotes([
      { ...one, vote: "1" },
      { ...two, vote: 1 },
    ]),
  ).toHaveLength(2);
});

test("loses no vote, and their order does not decide", () => {
  const votes = array(vote, { maxLength: 12 }).chain((all) =>
    shuffledSubarray(all, { minLength: all.length }).map((mixed) => ({ all, mixed })),
  );
  assert(
    property(votes, constantFrom("votes" as const, "weight" as const), ({ all, mixed }, by) => {
      expect(tallyVotes(all).reduce((sum, count) => sum + count.votes, 0)).toBe(all.length);
      const led = (some: readonly Vote[]) => new Set(findLeaders(tallyVotes(some), by).map((count) => JSON.stringify(count.vote)));
      expect(led(mixed)).toEqual(led(all));
    }),
  );
});

test("all votes with the maximum lead", () => {
  assert(
    property(array(integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }), (sizes) => {
      const counts = sizes.map((votes, index) => ({ vote: index, votes, weight: votes }));
      expect(findLeaders(counts, "votes")).toEqual(counts.filter(({ votes }) => votes === Math.max(...sizes)));
    }),
  );
});

test("equal decimal weights tie: 0.1 + 0.2 is 0.3", () => {
  const votes = [
    { voter: "a", vote: "yes", weight: 0.1 },
    { voter: "b", vote: "yes", weight: 0.2 },
    { voter: "c", vote: "no", weight: 0.3 },
  ];

  expect(findLeaders(tallyVotes(votes), "weight")).toHaveLength(2);
});
