import { utf8ToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildConsistencyProof, EMPTY_FRONTIER, extend, buildInclusionProof, hashLeaf, computeRoot } from "@/lib/engine/ledger/merkle";
import { buildMerkleTree } from "@/lib/engine/ledger/merkle-tree";

const leaves = Array.from({ length: 140 }, (_, index) => hashLeaf(utf8ToBytes(`leaf ${index}`)));

test("a cached tree gives the same results as its leaves for every prefix", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 140 }), fc.nat(), fc.nat(), (size, some, pick) => {
      const tree = buildMerkleTree(leaves.slice(0, size));
      const count = 1 + (some % size);
      const first = leaves.slice(0, count);

      expect(tree.rootAt(count)).toBe(computeRoot(extend(EMPTY_FRONTIER, first)));
      expect(tree.inclusion(pick % count, count)).toEqual(buildInclusionProof(first, pick % count));
      expect(tree.consistency(1 + (pick % count), count)).toEqual(buildConsistencyProof(first, 1 + (pick % count)));
    }),
  );
});

test("the empty list has a root", () => {
  expect(buildMerkleTree([]).rootAt(0)).toBe(computeRoot(EMPTY_FRONTIER));
});
