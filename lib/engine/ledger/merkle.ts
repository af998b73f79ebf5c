/** RFC 6962 Merkle tree over hex hashes. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Prefixes keep leaves from passing for nodes. */
export const hashLeaf = (data: Uint8Array): HexDigest => bytesToHex(sha256(concatBytes(LEAF, data)));

export const hashNode = (left: HexDigest, right: HexDigest): HexDigest =>
  bytesToHex(sha256(concatBytes(NODE, hexToBytes(left), hexToBytes(right))));

/** Full subtree roots, largest first. */
export type Frontier = { readonly count: number; readonly peaks: readonly HexDigest[] };

export const EMPTY_FRONTIER: Frontier = { count: 0, peaks: [] };

const half = (value: number): number => Math.floor(value / 2);
const isOdd = (value: number): boolean => value % 2 === 1;

/** Appends leaves at their own cost. */
export const extend = (frontier: Frontier, leaves: readonly HexDigest[]): Frontier => {
  const peaks = [...frontier.peaks];
  let { count } = frontier;
  for (const leaf of leaves) {
    let hash = leaf;
    for (let size = count; isOdd(size); size = half(size)) hash = hashNode(peaks.pop() ?? "", hash);
    peaks.push(hash);
    count += 1;
  }

  return { count, peaks };
};

export const computeRoot = ({ peaks }: Frontier): HexDigest =>
  peaks.reduceRight<HexDigest | null>((right, left) => (right === null ? left : hashNode(left, right)), null) ??
  bytesToHex(sha256(new Uint8Array()));

const rootOfLeaves = (leaves: readonly HexDigest[]): HexDigest => computeRoot(extend(EMPTY_FRONTIER, leaves));

/** Returns the split: the largest power of two below `count`. */
export const findLargestBelow = (count: number): number => 2 ** Math.ceil(Math.log2(count) - 1);

/** Proves inclusion, from sibling to root. */
export const buildInclusionProof = (leaves: readonly HexDigest[], index: number): HexDigest[] => {
  if (leaves.length <= 1) return [];
  const at = findLargestBelow(leaves.length);
  const [left, right] = [leaves.slice(0, at), leaves.slice(at)];

  return index < at
    ? [...buildInclusionProof(left, index), rootOfLeaves(right)]
    : [...buildInclusionProof(right, index - at), rootOfLeaves(left)];
};

const subproof = (leaves: readonly HexDigest[], count: number, isWhole: boolean): HexDigest[] => {
  if (count === leaves.length) return isWhole ? [] : [rootOfLeaves(leaves)];
  const at = findLargestBelow(leaves.length);
  const [left, right] = [leaves.slice(0, at), leaves.slice(at)];

  return count <= at
    ? [...subproof(left, count, isWhole), rootOfLeaves(right)]
    : [...subproof(right, count - at, false), rootOfLeaves(left)];
};

/** Proves that the list extends its prefix. */
export const buildConsistencyProof = (leaves: readonly HexDigest[], count: number): HexDigest[] => subproof(leaves, count, true);

type Place = { readonly at: number; readonly last: number };

const up = ({ at, last }: Place): Place => ({ at: half(at), last: half(last) });
const isRight = ({ at, last }: Place): boolean => isOdd(at) || at === last;

const upWhile = (place: Place, isStill: (at: number) => boolean): Place => {
  let here = place;
  while (isStill(here.at)) here = up(here);

  return here;
};

const isEvenButFirst = (at: number): boolean => at !== 0 && !isOdd(at);

const areHashes = (hashes: readonly string[]): boolean => hashes.every((hash) => hexDigestSchema.safeParse(hash).success);
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

export type Inclusion = { readonly leaf: HexDigest; readonly index: number; readonly proof: readonly HexDigest[] };

/** Verifies inclusion. False for malformed proofs. */
export const verifyInclusion = ({ leaf, index, proof }: Inclusion, count: number, root: HexDigest): boolean => {
  if (!isCount(index) || !isCount(count) || index >= count || !areHashes([leaf, root, ...proof])) return false;
  let place: Place = { at: index, last: count - 1 };
  let hash = leaf;
  for (const sibling of proof) {
    if (place.last === 0) return false;
    const isRightChild = isRight(place);
    hash = isRightChild ? hashNode(sibling, hash) : hashNode(hash, sibling);
    place = up(isRightChild ? upWhile(place, isEvenButFirst) : place);
  }

  return place.last === 0 && hash === root;
};

export type Tree = { readonly count: number; readonly root: HexDigest };

/** Verifies consistency. Proves nothing about an empty list. */
export const verifyConsistency = (shorter: Tree, longer: Tree, proof: readonly HexDigest[]): boolean => {
  if (!isCount(shorter.count) || !isCount(longer.count) || shorter.count > longer.count) return false;
  if (shorter.count === 0) return false;
  if (shorter.count === longer.count) return proof.length === 0 && shorter.root === longer.root;
  if (!areHashes([shorter.root, longer.root, ...proof])) return false;
  const isPowerOfTwo = 2 ** Math.round(Math.log2(shorter.count)) === shorter.count;
  const [first, ...rest] = isPowerOfTwo ? [shorter.root, ...proof] : proof;
  if (first === undefined) return false;
  let place = upWhile({ at: shorter.count - 1, last: longer.count - 1 }, isOdd);
  let [before, after] = [first, first];
  for (const sibling of rest) {
    if (place.last === 0) return false;
    const isRightChild = isRight(place);
    before = isRightChild ? hashNode(sibling, before) : before;
    after = isRightChild ? hashNode(sibling, after) : hashNode(after, sibling);
    place = up(isRightChild ? upWhile(place, isEvenButFirst) : place);
  }

  return place.last === 0 && before === shorter.root && after === longer.root;
};
