import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, it } from "vitest";
import { computeHandoverDigest, isRetired, collectRetired, type SignedHandover } from "@/lib/engine/ledger/handover";
import { getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";

let old: TestKey;
let next: TestKey;
let thief: TestKey;

const handover = async (from: TestKey, to: TestKey, at: number, by = from): Promise<SignedHandover> => {
  const statement = { from: from.kid, to: to.kid, to_key: to.public, at };

  return { statement, signature: await by.sign(hexToBytes(computeHandoverDigest(statement))) };
};

beforeAll(async () => {
  [old, next, thief] = [await newKey("old"), await newKey("next"), await newKey("thief")];
});

describe("a retired key", () => {
  it("is retired from the time it named, not before", async () => {
    const retired = await collectRetired([await handover(old, next, 1_000)], getKeys(old, next));

    expect([...retired]).toEqual([["old", 1_000]]);
    expect([isRetired(retired, "old", 1_000), isRetired(retired, "old", 1_001), isRetired(retired, "next", 9_999)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("cannot be retired by another key, nor revoke its own retirement later", async () => {
    const keys = getKeys(old, next, thief);

    expect(await collectRetired([await handover(old, next, 1_000, thief)], keys)).toEqual(new Map());
    expect(await collectRetired([await handover(old, next, 1_000)], getKeys(next))).toEqual(new Map());
    expect(await collectRetired([await handover({ ...old, kid: "constructor" }, next, 1_000)], keys)).toEqual(new Map());
    expect(await collectRetired([await handover(old, next, 1_000), await handover(old, thief, 5_000)], keys)).toEqual(
      new Map([["old", 1_000]]),
    );
  });

  it("is not retired by a modified statement", async () => {
    const { statement, signature } = await handover(old, next, 1_000);
    const changed = [
      { ...statement, to: "thief" },
      { ...statement, to_key: thief.public },
      { ...statement, at: 2_000 },
    ].map((one) => ({ statement: one, signature }));

    expect(await collectRetired(changed, getKeys(old, next, thief))).toEqual(new Map());
  });
});
