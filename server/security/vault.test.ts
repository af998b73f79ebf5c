import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { FORBIDDEN_KEYS } from "@/lib/json";
import { writePrivateFile } from "@/server/security/private-file";
import { loadVault, createVault, type CellPlace } from "@/server/security/vault";
import { formatVaultKeys, parseVaultKeys } from "@/server/security/vault-ring";

const vault = createVault("11".repeat(32));
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

  it("is different each time", () => {
    expect(vault.sealCell(PLACE, CONTENT)).not.toEqual(vault.sealCell(PLACE, CONTENT));
  });

  test("does not open after a bit flip in cell or key", () => {
    const cell = vault.sealCell(PLACE, CONTENT);
    fc.assert(
      fc.property(fc.nat(), fc.nat(7), (at, bit) => {
        expect(vault.openCell(PLACE, { ...cell, sealed: flipped(cell.sealed, at, bit) })).toBe("unreadable");
        expect(vault.openCell(PLACE, { ...cell, wrappedKey: flipped(cell.wrappedKey, at, bit) })).toBe("unreadable");
      }),
      { numRuns: 500 },
    );
  });

  test("does not open when truncated or with a shorter tag", () => {
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
    expect(createVault("22".repeat(32)).openCell(PLACE, cell)).toBe("unreadable");
  });

  test("opens in its place, whatever its value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), fc.nat(), fc.nat(100), (value, seq, index) => {
        // Names that no value here has.
        fc.pre(!FORBIDDEN_KEYS.some((key) => JSON.stringify(value).includes(`"${key}":`)));
        const place = { ...PLACE, seq, index };
        const content = { salt: CONTENT.salt, value: JSON.parse(JSON.stringify(value)) as never };
        expect(vault.openCell(place, vault.sealCell(place, content))).toEqual(content);
      }),
    );
  });
});

describe("a sealed command", () => {
  it("opens only under its own id and workspace", () => {
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

describe("a vault with several keys", () => {
  const [first, second, third] = ["11".repeat(32), "22".repeat(32), "33".repeat(32)];
  const old = createVault(first);
  const ring = createVault(`1 ${first}\n2 ${second}\n`);
  const later = createVault(`2 ${second}\n`);

  it("opens with every key and seals with the newest", () => {
    expect(ring.openCell(PLACE, old.sealCell(PLACE, CONTENT))).toEqual(CONTENT);
    expect(later.openCell(PLACE, ring.sealCell(PLACE, CONTENT))).toEqual(CONTENT);
    expect(old.openCell(PLACE, ring.sealCell(PLACE, CONTENT))).toBe("unreadable");
    expect(ring.openCommand("w1", "c1", old.sealCommand("w1", "c1", 1))).toBe(1);
    expect(later.openCommand("w1", "c1", ring.sealCommand("w1", "c1", 1))).toBe(1);
    expect([old, ring].map((one) => one.commandVersion("w1", "c1", old.sealCommand("w1", "c1", 1)))).toEqual([1, 1]);
    expect(ring.commandVersion("w1", "c1", ring.sealCommand("w1", "c1", 1))).toBe(2);
    expect(later.commandVersion("w1", "c1", old.sealCommand("w1", "c1", 1))).toBeNull();
  });

  it("rewraps a cell's key without the cell, making the old key unnecessary", () => {
    const cell = old.sealCell(PLACE, CONTENT);
    const wrappedKey = ring.rewrapKey(PLACE, cell.wrappedKey)!;
    expect(later.openCell(PLACE, cell)).toBe("unreadable");
    expect(later.openCell(PLACE, { ...cell, wrappedKey })).toEqual(CONTENT);
    expect(old.openCell(PLACE, { ...cell, wrappedKey })).toBe("unreadable");
  });

  it("rewraps only a cell's own key", () => {
    const { wrappedKey } = old.sealCell(PLACE, CONTENT);
    expect(ring.rewrapKey({ ...PLACE, seq: 4 }, wrappedKey)).toBeNull();
    expect(ring.rewrapKey(PLACE, flipped(wrappedKey, 20, 1))).toBeNull();
    expect(later.rewrapKey(PLACE, wrappedKey)).toBeNull();
    expect(ring.rewrapKey(PLACE, new Uint8Array())).toBeNull();
  });

  it("opens keys from before versions existed", () => {
    const cell = old.sealCell(PLACE, CONTENT);
    expect([...cell.wrappedKey.subarray(0, 2)]).toEqual([0, 1]);
    expect(ring.openCell(PLACE, { ...cell, wrappedKey: cell.wrappedKey.slice(2) })).toEqual(CONTENT);
    // Under another version the bytes are invalid.
    expect(ring.openCell(PLACE, { ...cell, wrappedKey: Uint8Array.from([0, 2, ...cell.wrappedKey.slice(2)]) })).toBe("unreadable");
    expect(ring.openCell(PLACE, { ...cell, wrappedKey: Uint8Array.from([0, 9, ...cell.wrappedKey.slice(2)]) })).toBe("unreadable");
  });

  it("survives a round trip, with the newest by version, not line", () => {
    const keys = parseVaultKeys(`3 ${third}\n2 ${second}`);
    expect(parseVaultKeys(formatVaultKeys(keys))).toEqual(keys);
    expect(createVault(formatVaultKeys(keys)).newestVersion()).toBe(3);
    expect(createVault(first).newestVersion()).toBe(1);
  });

  it.each([`1 ${first}\n1 ${second}`, `0 ${first}`, `70000 ${first}`, `2 ${first.slice(1)}`, `${first}\n${second}`])(
    "rejects %j",
    (text) => {
      expect(() => createVault(text)).toThrow(RangeError);
    },
  );
});

describe("a shredded cell", () => {
  it("opens to a shredded marker; half of it is unreadable", () => {
    const cell = vault.sealCell(PLACE, CONTENT);
    const nothing = new Uint8Array();
    expect(vault.openCell(PLACE, { sealed: nothing, wrappedKey: nothing })).toBe("shredded");
    expect(vault.openCell(PLACE, { ...cell, sealed: nothing })).toBe("unreadable");
    expect(vault.openCell(PLACE, { ...cell, wrappedKey: nothing })).toBe("unreadable");
  });
});

describe("a vault file", () => {
  test("applies a new key without a restart, and ignores a broken file", () => {
    const home = mkdtempSync(path.join(tmpdir(), "countersign-vault-"));
    const file = path.join(home, "keys", "vault.key");
    mkdirSync(path.dirname(file));
    writeFileSync(file, "11".repeat(32), { mode: 0o600 });
    const running = loadVault(home);
    const before = running.sealCell(PLACE, CONTENT);
    writePrivateFile(file, `1 ${"11".repeat(32)}\n2 ${"22".repeat(32)}\n`);
    expect(running.newestVersion()).toBe(2);
    expect(running.openCell(PLACE, before)).toEqual(CONTENT);
    expect(createVault(`2 ${"22".repeat(32)}`).openCell(PLACE, running.sealCell(PLACE, CONTENT))).toEqual(CONTENT);
    writePrivateFile(file, "nonsense");
    expect(running.openCell(PLACE, before)).toEqual(CONTENT);
    rmSync(home, { recursive: true });
    expect(running.newestVersion()).toBe(2);
  });
});

describe("a vault key", () => {
  it.each(["", "11", "zz".repeat(32), "11".repeat(33)])("rejects %j", (key) => {
    expect(() => createVault(key)).toThrow(RangeError);
  });
});
