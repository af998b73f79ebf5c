/** Consistency proofs that cost as much as a log has grown, whatever its length. */
import type { HexDigest } from "@/lib/hash";
import { EMPTY_FRONTIER, extend, largestBelow, rootOf, type Frontier } from "@/lib/engine/ledger/merkle";

const rootOfAll = (leaves: readonly HexDigest[]): HexDigest => rootOf(extend(EMPTY_FRONTIER, leaves));

/**
 * The same proof as `consistencyProof`, out of what an older checkpoint keeps and the leaves that came since.
 * @param frontier of the list's beginning, which must not be empty @param added the leaves after it
 */
export const growthProof = (frontier: Frontier, added: readonly HexDigest[]): HexDigest[] => {
  const prove = ({ count, peaks }: Frontier, leaves: readonly HexDigest[], isWhole: boolean): HexDigest[] => {
    if (leaves.length === 0) return isWhole ? [] : [rootOf({ count, peaks })];
    const at = largestBelow(count + leaves.length);
    // The left side holds all of the beginning, or it is the beginning's first full subtree.
    if (count <= at) return [...prove({ count, peaks }, leaves.slice(0, at - count), isWhole), rootOfAll(leaves.slice(at - count))];
    const [first = "", ...rest] = peaks;

    return [...prove({ count: count - at, peaks: rest }, leaves, false), first];
  };

  return prove(frontier, added, true);
};
