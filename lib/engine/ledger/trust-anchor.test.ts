import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeAll, describe, expect, it } from "vitest";
import { computeHandoverDigest, type SignedHandover } from "@/lib/engine/ledger/handover";
import { anchoredKey, anchorOfKeys, handoverBetween } from "@/lib/engine/testing/anchor";
import type { TestKey } from "@/lib/engine/testing/ledger";
import {
  getCurrentKey,
  explainChange,
  extendAnchor,
  getKeys,
  getRetired,
  trustAnchorSchema,
  verifyAnchor,
  withHandover,
  type TrustAnchor,
} from "@/lib/engine/ledger/trust-anchor";

let [a, b, c, thief]: TestKey[] = [];
let anchor: TrustAnchor;

const keys = (): { a: TestKey; b: TestKey; c: TestKey; thief: TestKey } => {
  if (!a || !b || !c || !thief) throw new Error("no keys yet");

  return { a, b, c, thief };
};

const confirmed = async (from: TestKey, to: TestKey, at: number, by: TestKey): Promise<SignedHandover> => ({
  ...(await handoverBetween(from, to, at, { counterBy: by })),
  legacy: by.kid,
});

beforeAll(async () => {
  [a, b, c, thief] = [await anchoredKey(), await anchoredKey(), await anchoredKey(), await anchoredKey()];
  anchor = await anchorOfKeys(a, b, c);
});

describe("verifyAnchor", () => {
  it("accepts a chain of hand-overs signed by both keys", async () => {
    expect(await verifyAnchor(trustAnchorSchema.parse(anchor))).toBeNull();
    expect(Object.keys(getKeys(anchor))).toEqual([a?.kid, b?.kid, c?.kid]);
    expect(getCurrentKey(anchor).kid).toBe(c?.kid);
    expect([...getRetired(anchor)]).toEqual([
      [a?.kid, 1_500],
      [b?.kid, 2_500],
    ]);
  });

  it("rejects a key without a hand-over, at any place", async () => {
    const extra = { kid: keys().thief.kid, public_key: keys().thief.public, since: 2_000 };
    for (const at of [0, 1, 2, 3]) expect(await verifyAnchor({ ...anchor, keys: anchor.keys.toSpliced(at, 0, extra) })).toBe("chain");
    expect(await verifyAnchor({ ...anchor, keys: [...anchor.keys, ...anchor.keys] })).toBe("chain");
  });

  it("rejects a hand-over that names other keys than its neighbours, though they signed it", async () => {
    const { a: old, b: next, thief: other } = keys();
    const [first, second] = (await anchorOfKeys(old, next)).keys;
    for (const named of [
      await handoverBetween({ ...old, kid: other.kid }, next, 1_500),
      await handoverBetween(old, { ...next, kid: other.kid }, 1_500),
      await handoverBetween(old, { ...next, public: other.public }, 1_500),
    ])
      expect(await verifyAnchor({ v: 1, keys: [first!, second!], handovers: [named] })).toBe("chain");
  });

  it("rejects a key id that is not its key's hash", async () => {
    const [first, ...rest] = anchor.keys;
    expect(await verifyAnchor({ ...anchor, keys: [{ ...first!, public_key: keys().thief.public }, ...rest] })).toBe("kid");
  });

  it("rejects a hand-over that one of its keys did not sign", async () => {
    const unsigned = async (handover: SignedHandover) => verifyAnchor(withHandover(await anchorOfKeys(keys().a), handover, 1_000));
    const { a: old, b: next, thief: other } = keys();
    expect(await unsigned(await handoverBetween(old, next, 1_500, { by: other }))).toBe("signature");
    expect(await unsigned(await handoverBetween(old, next, 1_500, { counterBy: other }))).toBe("countersignature");
    const { countersignature: _, ...bare } = await handoverBetween(old, next, 1_500);
    expect(await unsigned(bare)).toBe("countersignature");
  });

  it("rejects reordered hand-overs and decreasing times", async () => {
    expect(await verifyAnchor({ ...anchor, handovers: anchor.handovers.toReversed() })).toBe("chain");
    expect(await verifyAnchor({ ...anchor, keys: anchor.keys.toReversed() })).toBe("chain");
    const late = anchor.keys.map((key, index) => ({ ...key, since: index === 1 ? 1_501 : key.since }));
    expect(await verifyAnchor({ ...anchor, keys: late })).toBe("order");
    const earlier = anchor.keys.map((key, index) => ({ ...key, since: index === 0 ? 1_200 : key.since }));
    expect(await verifyAnchor({ ...anchor, keys: earlier })).toBe("order");
    const early = withHandover(await anchorOfKeys(keys().a, keys().b), await handoverBetween(keys().b, keys().c, 1_000), 1_000);
    expect(await verifyAnchor(early)).toBe("order");
  });

  it("accepts hand-overs older than anchors only with a later key's countersignature", async () => {
    const { a: first, b: second, c: third, thief: other } = keys();
    const adopted = async (by: TestKey): Promise<TrustAnchor> => ({
      ...anchor,
      handovers: [await confirmed(first, second, 1_500, by), await confirmed(second, third, 2_500, by)],
    });
    expect(await verifyAnchor(await adopted(third))).toBeNull();
    expect(await verifyAnchor(await adopted(other))).toBe("chain");
    expect(await verifyAnchor(await adopted(second))).toBe("chain");
    const [, countersigned] = anchor.handovers;
    const mixed = [await confirmed(first, second, 1_500, second), countersigned!];
    expect(await verifyAnchor({ ...anchor, handovers: mixed })).toBeNull();
    const after = [anchor.handovers[0]!, await confirmed(second, third, 2_500, third)];
    expect(await verifyAnchor({ ...anchor, handovers: after })).toBe("chain");
  });
});

describe("extendAnchor", () => {
  it("follows hand-overs signed by both keys, in any order, and no further", async () => {
    const { a: first, thief: other } = keys();
    const start = await anchorOfKeys(first);
    const extended = await extendAnchor(start, anchor.handovers.toReversed());
    expect(getKeys(extended)).toEqual(getKeys(anchor));
    expect(await verifyAnchor(extended)).toBeNull();
    const forged = [await handoverBetween(other, keys().b, 5_000), await handoverBetween(first, other, 5_000, { by: other })];
    expect(await extendAnchor(start, forged)).toBe(start);
    const bare = { statement: forged[1]!.statement, signature: await first.sign(hexToBytes(computeHandoverDigest(forged[1]!.statement))) };
    expect(await extendAnchor(start, [bare])).toBe(start);
  });

  it("terminates on circular hand-overs", async () => {
    const { a: first, b: second } = keys();
    const circle = [await handoverBetween(first, second, 1_500), await handoverBetween(second, first, 2_500)];
    expect((await extendAnchor(await anchorOfKeys(first), circle)).keys.map(({ kid }) => kid)).toEqual([first.kid, second.kid]);
  });
});

describe("explainChange", () => {
  it("distinguishes equal, extended and older anchors", async () => {
    const older = await anchorOfKeys(keys().a, keys().b);
    expect(await explainChange(anchor, structuredClone(anchor))).toBe("same");
    expect(await explainChange(older, anchor)).toBe("extended");
    expect(await explainChange(anchor, older)).toBe("older");
  });

  it("explains predecessors that an operator confirmed later", async () => {
    const { a: first, b: second } = keys();
    const pinned = { ...(await anchorOfKeys(second)), keys: [{ kid: second.kid, public_key: second.public, since: 1_000 }] };
    const offered = {
      ...(await anchorOfKeys(first, second)),
      handovers: [await confirmed(first, second, 1_500, second)],
    };
    expect(await explainChange(pinned, offered)).toBe("extended");
  });

  it("reports any other anchor as replaced", async () => {
    const { a: first, b: second, thief: other } = keys();
    expect(await explainChange(anchor, await anchorOfKeys(other))).toBe("replaced");
    expect(await explainChange(await anchorOfKeys(first, second), await anchorOfKeys(first, other))).toBe("replaced");
    expect(await explainChange(anchor, await anchorOfKeys(first, second, other))).toBe("replaced");
    const extra = { ...anchor, keys: [...anchor.keys, { kid: other.kid, public_key: other.public, since: 9_000 }] };
    expect(await explainChange(anchor, extra)).toBe("replaced");
    const moved = withHandover(await anchorOfKeys(first), await handoverBetween(first, second, 9_000), 1_000);
    expect(await explainChange(await anchorOfKeys(first, second), moved)).toBe("replaced");
  });
});
