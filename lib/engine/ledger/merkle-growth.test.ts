import { expect, test } from "vitest";
import { buildConsistencyProof, EMPTY_FRONTIER, extend, hashLeaf, computeRoot, verifyConsistency } from "./merkle";
import { buildGrowthProof } from "./merkle-growth";

const leaves = Array.from({ length: 36 }, (_, n) => hashLeaf(Uint8Array.of(n)));
const frontierOf = (count: number) => extend(EMPTY_FRONTIER, leaves.slice(0, count));

test("builds the RFC 6962 proof from an older checkpoint and the new leaves, for every pair of lengths", () => {
  for (let count = 1; count <= leaves.length; count += 1) {
    const all = leaves.slice(0, count);
    for (let older = 1; older <= count; older += 1) {
      const proof = buildGrowthProof(frontierOf(older), leaves.slice(older, count));
      expect(proof, `${older} of ${count}`).toEqual(buildConsistencyProof(all, older));
      const tree = (length: number) => ({ count: length, root: computeRoot(frontierOf(length)) });
      expect(verifyConsistency(tree(older), tree(count), proof), `${older} of ${count}`).toBe(true);
    }
  }
});
