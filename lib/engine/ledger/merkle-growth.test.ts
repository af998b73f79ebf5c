import { expect, test } from "vitest";
import { consistencyProof, EMPTY_FRONTIER, extend, leafHash, rootOf, verifyConsistency } from "./merkle";
import { growthProof } from "./merkle-growth";

const leaves = Array.from({ length: 36 }, (_, n) => leafHash(Uint8Array.of(n)));
const frontierOf = (count: number) => extend(EMPTY_FRONTIER, leaves.slice(0, count));

test("builds the RFC 6962 proof from an older checkpoint and the new leaves, for every pair of lengths", () => {
  for (let count = 1; count <= leaves.length; count += 1) {
    const all = leaves.slice(0, count);
    for (let older = 1; older <= count; older += 1) {
      const proof = growthProof(frontierOf(older), leaves.slice(older, count));
      expect(proof, `${older} of ${count}`).toEqual(consistencyProof(all, older));
      const tree = (length: number) => ({ count: length, root: rootOf(frontierOf(length)) });
      expect(verifyConsistency(tree(older), tree(count), proof), `${older} of ${count}`).toBe(true);
    }
  }
});
