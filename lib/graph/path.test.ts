import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";
import { hasPlaceAt, intersectGrants, isAtOrBelow, isGranted, isMemoryKeyName, parsePath, getValueAt, withValueAt } from "@/lib/graph/path";

const segment = fc.constantFrom("a", "b", "c", "0", "1");
const path = fc.tuple(fc.constantFrom("a", "b"), fc.array(segment, { maxLength: 3 })).map(([key, rest]) => [key, ...rest]);
const grant = fc.oneof({ weight: 6, arbitrary: path.map((parts) => parts.join(".")) }, { weight: 1, arbitrary: fc.constant("*") });
const grants = fc.array(grant, { maxLength: 4 });
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const memory = fc.dictionary(fc.constantFrom("a", "b"), value, { noNullPrototype: true });

describe("a path", () => {
  it.each(["a", "a.b", "items.0", "a.b-c.d_e.17", "a1.b"])("%s is one", (text) => {
    expect(parsePath(text)).toEqual(text.split("."));
  });

  it.each([
    "",
    ".",
    "a.",
    ".a",
    "a..b",
    "0",
    "0.a",
    "_status",
    "a.01",
    "a.-1",
    "a b",
    "a[0]",
    "$goal",
    "__proto__",
    "a.__proto__",
    "a.constructor.name",
    "prototype",
    "a.toJSON",
    "é",
    `a${".b".repeat(16)}`,
  ])("%j is none", (text) => {
    expect(parsePath(text)).toBeNull();
  });

  it.each(["constructor", "__proto__", "_internal", "toJSON", "1a", "a.b", ""])("%j is no memory key", (key) => {
    expect(isMemoryKeyName(key)).toBe(false);
  });

  it.each([
    ["constructor"],
    ["__proto__"],
    ["a", "toString"],
    ["a", "length"],
    ["list", "length"],
    ["list", "-1"],
    ["list", "01"],
    ["text", "0"],
  ])("to %j resolves to nothing", (...segments) => {
    expect(getValueAt({ a: {}, list: [1], text: "x" }, segments)).toBeUndefined();
  });

  it("goes into lists by index", () => {
    expect(getValueAt({ items: ["x", { y: 1 }] }, ["items", "1", "y"])).toBe(1);
  });
});

describe("a grant", () => {
  it("covers paths at or below it, and never a sibling or a parent", () => {
    fc.assert(
      fc.property(path, path, (granted, asked) => {
        expect(isGranted([granted.join(".")], asked)).toBe(isAtOrBelow(asked, granted));
      }),
    );
    expect(isGranted(["a.b"], ["a"])).toBe(false);
    expect(isGranted(["a.b"], ["a", "bc"])).toBe(false);
    expect(isGranted([], ["a"])).toBe(false);
  });

  it("under a ceiling is what both allow: exactly, for every path", () => {
    fc.assert(
      fc.property(grants, grants, path, (own, ceiling, asked) => {
        expect(isGranted(intersectGrants(own, ceiling), asked)).toBe(isGranted(own, asked) && isGranted(ceiling, asked));
      }),
    );
    expect(intersectGrants(["a"], undefined)).toEqual(["a"]);
    expect(intersectGrants(["*"], [])).toEqual([]);
  });
});

describe("a write at a path", () => {
  it("is read back there and changes nothing beside it, wherever it has a place", () => {
    fc.assert(
      fc.property(memory, path, path, value, (root, at, other, written) => {
        if (!hasPlaceAt(root, at)) return;
        const after = withValueAt(root, at, written);
        expect(toCanonicalJson(getValueAt(after, at) ?? null)).toBe(toCanonicalJson(written));
        if (isAtOrBelow(at, other) || isAtOrBelow(other, at)) return;
        expect(getValueAt(after, other)).toEqual(getValueAt(root, other));
      }),
      { numRuns: 2_000 },
    );
  });

  it("has no place beyond the end of a list, or inside a scalar", () => {
    expect(hasPlaceAt({ a: [1] }, ["a", "1"])).toBe(true);
    expect(hasPlaceAt({ a: [1] }, ["a", "2"])).toBe(false);
    expect(hasPlaceAt({ a: [1] }, ["a", "b"])).toBe(false);
    expect(hasPlaceAt({ a: "text" }, ["a", "b"])).toBe(false);
    expect(hasPlaceAt({ a: null }, ["a", "b"])).toBe(false);
    expect(hasPlaceAt({}, ["a", "b", "c"])).toBe(true);
  });
});
