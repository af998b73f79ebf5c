import { toCanonicalJson, type Json } from "@/lib/json";

export type Vote = { readonly voter: string; readonly vote: Json; readonly weight: number };
/** `weight` in millionths, so that sums are exact. */
export type Count = { readonly vote: Json; readonly votes: number; readonly weight: number };

const MILLION = 1_000_000;

/** Counts votes with equal canonical JSON. */
export const tallyVotes = (votes: readonly Vote[]): readonly Count[] =>
  [...Map.groupBy(votes, ({ vote }) => toCanonicalJson(vote)).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];

    return [{ vote: first.vote, votes: same.length, weight: same.reduce((sum, { weight }) => sum + Math.round(weight * MILLION), 0) }];
  });

/** Returns votes with the maximum; several are a tie. */
export const findLeaders = (counts: readonly Count[], by: "votes" | "weight"): readonly Count[] => {
  const most = Math.max(0, ...counts.map((count) => count[by]));

  return counts.filter((count) => count[by] === most);
};
