import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { vaultFrom, type CellPlace } from "@/server/security/vault";

const vault = vaultFrom("11".repeat(32));
const PLACE: CellPlace = { workspace: "w1", run: "r1", seq: 3, index: 0, path: "request.plan", label: '{"integrity":"untrusted"}' };
const CONTENT = { salt: "ab".repeat(32), value: { plan: "team" } };

const flipped = (bytes: Uint8Array, at: number, bit: number): Uint8Array<ArrayBuffer> => {
  const copy = Uint8Array.from(bytes);
  copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ (1 << bit);

  return copy;
};

describe("a sealed cell", () => {
  it("opens at its place, and says nothing of its value while sealed", () => {
    const cell = vault.sealCell(PLACE, CONTENT);
    expect(vault.openCell(PLACE, cell)).toEqual(CONTENT);
    expect(Buffer.from(cell.sealed).includes("team")).toBe(false);
  });

  it("sealed twice is not the same twice", () => {
    expect(vault.sealCell(PLACE, CONTENT)).not.toEqual(vault.sealCell(PLACE, CONTENT));
  });

  test("does not open after any bit was flipped, in the cell or in its key", () => {
    const cell = vault.sealCell(PLACE, CONTENT);
    fc.assert(
      fc.property(fc.nat(), fc.nat(7), (at, bit) => {
        expect(vault.openCell(PLACE, { ...cell, sealed: flipped(cell.sealed, at, bit) })).toBe("unreadable");
        expect(vault.openCell(PLACE, { ...cell, wrappedKey: flipped(cell.wrappedKey, at, bit) })).toBe("unreadable");
      }),
      { numRuns: 500 },
    );
  });

  test("does not open when cut, nor with a shorter tag", () => {
    const cell = vault.sealCell(PLACE, CONTENT);
    for (let length = 0; length < cell.sealed.length; length += 1) {
      expect(vault.openCell(PLACE, { ...cell, sealed: cell.sealed.slice(0, length) })).toBe("unreadable");
    }
  });

  it.each<[string, Partial<CellPlace>]>([
    ["workspace", { workspace: "w2" }],
    ["run", { run: "r2" }],
    ["record", { seq: 4 }],
    ["place in its record", { index: 1 }],
    ["path", { path: "request" }],
    ["label", { label: '{"integrity":"trusted"}' }],
  ])("does not open under another %s", (_what, change) => {
    expect(vault.openCell({ ...PLACE, ...change }, vault.sealCell(PLACE, CONTENT))).toBe("unreadable");
  });

  test("does not open with the key of another cell, or of another vault", () => {
    const cell = vault.sealCell(PLACE, CONTENT);
    const other = vault.sealCell(PLACE, CONTENT);
    expect(vault.openCell(PLACE, { sealed: cell.sealed, wrappedKey: other.wrappedKey })).toBe("unreadable");
    expect(vaultFrom("22".repeat(32)).openCell(PLACE, cell)).toBe("unreadable");
  });

  test("opens wherever it was sealed, whatever its value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), fc.nat(), fc.nat(100), (value, seq, index) => {
        const place = { ...PLACE, seq, index };
        const content = { salt: CONTENT.salt, value: JSON.parse(JSON.stringify(value)) as never };
        expect(vault.openCell(place, vault.sealCell(place, content))).toEqual(content);
      }),
    );
  });
});

describe("a sealed command", () => {
  it("opens under its own id in its own workspace only", () => {
    const sealed = vault.sealCommand("w1", "c1", { kind: "cancel" });
    expect(vault.openCommand("w1", "c1", sealed)).toEqual({ kind: "cancel" });
    for (const [workspace, id] of [
      ["w2", "c1"],
      ["w1", "c2"],
    ] as const) {
      expect(() => vault.openCommand(workspace, id, sealed)).toThrow();
    }
    expect(() => vault.openCommand("w1", "c1", flipped(sealed, 20, 0))).toThrow();
  });
});

describe("a vault key", () => {
  it.each(["", "11", "zz".repeat(32), "11".repeat(33)])("%j is none", (key) => {
    expect(() => vaultFrom(key)).toThrow(RangeError);
  });
});
