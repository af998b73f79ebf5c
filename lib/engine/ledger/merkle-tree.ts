/** RFC 6962 tree with cached nodes, for repeated queries. */
import type { HexDigest } from "@/lib/hash";
import { hashNode, computeRoot, EMPTY_FRONTIER } from "@/lib/engine/ledger/merkle";

export type MerkleTree = {
  readonly count: number;
  rootAt(count: number): HexDigest;
  inclusion(index: number, count: number): HexDigest[];
  /** `shorter` is at least 1. */
  consistency(shorter: number, longer: number): HexDigest[];
};

/** `levels[k][i]`: full subtree from leaf i * 2^k. */
const levelsOf = (leaves: readonly HexDigest[]): readonly (readonly HexDigest[])[] => {
  const levels: (readonly HexDigest[])[] = [leaves];
  for (let below = leaves; below.length > 1; below = levels.at(-1) ?? []) {
    const next: HexDigest[] = [];
    for (let index = 0; index + 1 < below.length; index += 2) next.push(hashNode(below[index] ?? "", below[index + 1] ?? ""));
    levels.push(next);
  }

  return levels;
};

const split = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1);

/** Computes each full subtree once. */
export const buildMerkleTree = (leaves: readonly HexDigest[]): MerkleTree => {
  const levels = levelsOf(leaves);
  const range = (start: number, size: number): HexDigest => {
    const level = Math.round(Math.log2(size));
    if (2 ** level === size) return levels[level]?.[start / size] ?? "";
    const left = split(size);

    return hashNode(range(start, left), range(start + left, size - left));
  };
  const path = (start: number, size: number, index: number): HexDigest[] => {
    if (size <= 1) return [];
    const left = split(size);

    return index < left
      ? [...path(start, left, index), range(start + left, size - left)]
      : [...path(start + left, size - left, index - left), range(start, left)];
  };
  const subproof = (start: number, size: number, shorter: number, isWhole: boolean): HexDigest[] => {
    if (shorter === size) return isWhole ? [] : [range(start, size)];
    const left = split(size);

    return shorter <= left
      ? [...subproof(start, left, shorter, isWhole), range(start + left, size - left)]
      : [...subproof(start + left, size - left, shorter - left, false), range(start, left)];
  };

  return {
    count: leaves.length,
    rootAt: (count) => (count === 0 ? computeRoot(EMPTY_FRONTIER) : range(0, count)),
    inclusion: (index, count) => path(0, count, index),
    consistency: (shorter, longer) => subproof(0, longer, shorter, true),
  };
};
