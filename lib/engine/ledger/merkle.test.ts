import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { CONSISTENCY, HASHES, INCLUSION, type ProofVector } from "@/lib/engine/ledger/merkle.vectors";
import {
  buildConsistencyProof,
  EMPTY_FRONTIER,
  extend,
  buildInclusionProof,
  hashLeaf,
  computeRoot,
  verifyConsistency,
  verifyInclusion,
} from "@/lib/engine/ledger/merkle";

const hex = (number: number): string =>
  Array.from(atob(HASHES[number] ?? ""), (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")).join("");

const treeOf = (leaves: readonly string[]) => ({ count: leaves.length, root: computeRoot(extend(EMPTY_FRONTIER, leaves)) });
const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => hashLeaf(utf8ToBytes(`leaf ${index}`)));

const bent = (proof: readonly string[], at: number): string[] =>
  proof.map((hash, index) => (index === at % proof.length ? `${hash.startsWith("0") ? "1" : "0"}${hash.slice(1)}` : hash));

describe("public vectors", () => {
  const passes = ([, index, count, root, leaf, proof]: ProofVector) =>
    verifyInclusion({ leaf: hex(leaf), index, proof: proof.map(hex) }, count, hex(root));
  const follows = ([, first, second, before, after, proof]: ProofVector) =>
    verifyConsistency({ count: first, root: hex(before) }, { count: second, root: hex(after) }, proof.map(hex));

  it("of inclusion proofs verify as stated", () => {
    expect(INCLUSION.map((vector) => [vector[0], passes(vector)])).toEqual(INCLUSION.map(([name, , , , , , ok]) => [name, ok === 1]));
    expect(INCLUSION.length).toBe(98);
  });

  it("of consistency proofs verify as stated", () => {
    expect(CONSISTENCY.map((vector) => [vector[0], follows(vector)])).toEqual(CONSISTENCY.map(([name, , , , , , ok]) => [name, ok === 1]));
    expect(CONSISTENCY.length).toBe(98);
  });

  it("include the empty root and prefixes of RFC 6962", () => {
    expect(computeRoot(EMPTY_FRONTIER)).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hashLeaf(new Uint8Array())).toBe("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
  });
});

const counts = fc.integer({ min: 1, max: 130 });

test("extending a frontier step by step gives the root of the whole list, with one peak per set bit of its count", () => {
  fc.assert(
    fc.property(counts, counts, (some, more) => {
      const leaves = leavesOf(some + more);
      const frontier = extend(extend(EMPTY_FRONTIER, leaves.slice(0, some)), leaves.slice(some));

      expect(frontier).toEqual(extend(EMPTY_FRONTIER, leaves));
      expect(frontier.peaks).toHaveLength(frontier.count.toString(2).replaceAll("0", "").length);
    }),
  );
});

test("each leaf has a proof for its place, and for no other leaf, place, size or root", () => {
  fc.assert(
    fc.property(counts, fc.nat(), fc.nat(), (count, pick, bend) => {
      const leaves = leavesOf(count);
      const { root } = treeOf(leaves);
      const index = pick % count;
      const inclusion = { leaf: leaves[index] ?? "", index, proof: buildInclusionProof(leaves, index) };

      expect(verifyInclusion(inclusion, count, root)).toBe(true);
      expect(verifyInclusion({ ...inclusion, leaf: hashLeaf(utf8ToBytes("another")) }, count, root)).toBe(false);
      expect(verifyInclusion({ ...inclusion, index: index + 1 }, count, root)).toBe(false);
      expect(verifyInclusion(inclusion, count, hashLeaf(utf8ToBytes("root")))).toBe(false);
      expect(verifyInclusion({ ...inclusion, proof: [...inclusion.proof, root] }, count, root)).toBe(false);
      const wrong = inclusion.proof.length === 0 ? [] : [inclusion.proof.slice(1), bent(inclusion.proof, bend)];
      expect(wrong.filter((proof) => verifyInclusion({ ...inclusion, proof }, count, root))).toEqual([]);
    }),
  );
});

test("a list is consistent with each of its prefixes, and with no list that differs", () => {
  fc.assert(
    fc.property(counts, fc.nat(), fc.nat(), (count, pick, bend) => {
      const leaves = leavesOf(count);
      const first = 1 + (pick % count);
      const proof = buildConsistencyProof(leaves, first);
      const other = leaves.slice(0, first).with(bend % first, hashLeaf(utf8ToBytes("another")));

      expect(verifyConsistency(treeOf(leaves.slice(0, first)), treeOf(leaves), proof)).toBe(true);
      expect(verifyConsistency(treeOf(other), treeOf(leaves), proof)).toBe(false);
      expect(verifyConsistency(treeOf(leaves.slice(0, first)), treeOf([...other, ...leaves.slice(first)]), proof)).toBe(false);
      expect(verifyConsistency(treeOf(leaves), treeOf(leaves.slice(0, first)), proof)).toBe(first === count);
      const wrong = proof.length === 0 ? [] : [proof.slice(1), bent(proof, bend)];
      expect(wrong.filter((one) => verifyConsistency(treeOf(leaves.slice(0, first)), treeOf(leaves), one))).toEqual([]);
    }),
  );
});

test("rejects a proof longer than the tree is high", () => {
  const [left = "", right = ""] = leavesOf(2);
  const { root } = treeOf([left, right]);

  expect(verifyInclusion({ leaf: right, index: 1, proof: [left] }, 2, root)).toBe(true);
  expect(verifyInclusion({ leaf: right, index: 0, proof: [left] }, 1, root)).toBe(false);
});

test("rejects malformed hashes and numbers without throwing", () => {
  const leaves = leavesOf(3);
  const { root } = treeOf(leaves);
  const inclusion = { leaf: leaves[0] ?? "", index: 0, proof: buildInclusionProof(leaves, 0) };

  expect(verifyInclusion({ ...inclusion, proof: ["zz", ...inclusion.proof.slice(1)] }, 3, root)).toBe(false);
  expect(verifyInclusion({ ...inclusion, index: 0.5 }, 3, root)).toBe(false);
  expect(verifyInclusion({ ...inclusion, index: -1 }, 3, root)).toBe(false);
  expect(verifyConsistency({ count: 2.5, root }, { count: 3, root }, [])).toBe(false);
  expect(verifyConsistency({ count: 2, root: "" }, { count: 3, root }, [root])).toBe(false);
});
