import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, it } from "vitest";
import { handoverDigest, isRetired, retiredBy, type SignedHandover } from "@/lib/engine/ledger/handover";
import { keysOf, newKey, type TestKey } from "@/lib/engine/testing/ledger";

let old: TestKey;
let next: TestKey;
let thief: TestKey;

const handover = async (from: TestKey, to: TestKey, at: number, by = from): Promise<SignedHandover> => {
  const statement = { from: from.kid, to: to.kid, to_key: to.public, at };

  return { statement, signature: await by.sign(hexToBytes(handoverDigest(statement))) };
};

beforeAll(async () => {
  [old, next, thief] = [await newKey("old"), await newKey("next"), await newKey("thief")];
});

describe("a retired key", () => {
  it("is retired from the time it named, not before", async () => {
    const retired = await retiredBy([await handover(old, next, 1_000)], keysOf(old, next));

    expect([...retired]).toEqual([["old", 1_000]]);
    expect([isRetired(retired, "old", 1_000), isRetired(retired, "old", 1_001), isRetired(retired, "next", 9_999)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("cannot be retired by another key, nor revoke its own retirement later", async () => {
    const keys = keysOf(old, next, thief);

    expect(await retiredBy([await handover(old, next, 1_000, thief)], keys)).toEqual(new Map());
    expect(await retiredBy([await handover(old, next, 1_000)], keysOf(next))).toEqual(new Map());
    expect(await retiredBy([await handover(old, next, 1_000), await handover(old, thief, 5_000)], keys)).toEqual(new Map([["old", 1_000]]));
  });

  it("is not retired by a modified statement", async () => {
    const { statement, signature } = await handover(old, next, 1_000);
    const changed = [
      { ...statement, to: "thief" },
      { ...statement, to_key: thief.public },
      { ...statement, at: 2_000 },
    ].map((one) => ({ statement: one, signature }));

    expect(await retiredBy(changed, keysOf(old, next, thief))).toEqual(new Map());
  });
});
