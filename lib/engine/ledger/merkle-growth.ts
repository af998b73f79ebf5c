import type { HexDigest } from "@/lib/hash";
import { EMPTY_FRONTIER, extend, findLargestBelow, computeRoot, type Frontier } from "@/lib/engine/ledger/merkle";

const rootOfAll = (leaves: readonly HexDigest[]): HexDigest => computeRoot(extend(EMPTY_FRONTIER, leaves));

/**
 * Builds a consistency proof at the growth's cost.
 * @param added after the non-empty frontier
 */
export const buildGrowthProof = (frontier: Frontier, added: readonly HexDigest[]): HexDigest[] => {
  const prove = ({ count, peaks }: Frontier, leaves: readonly HexDigest[], isWhole: boolean): HexDigest[] => {
    if (leaves.length === 0) return isWhole ? [] : [computeRoot({ count, peaks })];
    const at = findLargestBelow(count + leaves.length);
    // The left side holds the whole prefix, or its first full subtree.
    if (count <= at) return [...prove({ count, peaks }, leaves.slice(0, at - count), isWhole), rootOfAll(leaves.slice(at - count))];
    const [first = "", ...rest] = peaks;

    return [...prove({ count: count - at, peaks: rest }, leaves, false), first];
  };

  return prove(frontier, added, true);
};
