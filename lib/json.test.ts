import canonicalize from "canonicalize";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCanonicalJson, freezeCopy, countJsonBytes, ownMember, toPlainJson, type Json } from "@/lib/json";

const LIMITS = { maxBytes: 10_000, maxDepth: 8 };
const faultOf = (value: unknown, limits = LIMITS) => {
  const plain = toPlainJson(value, limits);

  return plain.ok ? null : plain.error;
};
const withMember = (key: string, descriptor: PropertyDescriptor, target: object = {}) => Object.defineProperty(target, key, descriptor);
const circular = () => {
  const value: unknown[] = [];
  value.push(value);

  return value;
};
const shared = () => Array.from({ length: 60 }).reduce<unknown>((inner) => [inner, inner], 1);

describe("plain JSON", () => {
  it.each<[string, unknown]>([
    ["a lone surrogate", "a\ud800"],
    ["a name with a lone surrogate", { "\udc00": 1 }],
    ["NaN", Number.NaN],
    ["Infinity", [Number.POSITIVE_INFINITY]],
    ["undefined", { a: undefined }],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a symbol as a name", { [Symbol("x")]: 1 }],
    ["a date", new Date(0)],
    ["a Map", new Map([["a", 1]])],
    ["a class of its own", new URL("https://example.com")],
    ["a boxed string", Object("x")],
    ["a sparse array", Array(3)],
    ["a sparse array with as many names", Object.assign(Array(1), { toJSON: () => "other" })],
    ["an array with a further member", Object.assign([1], { extra: 1 })],
    ["an array of another class", new (class extends Array {})()],
    ["an array with a getter", withMember("0", { get: () => 1, enumerable: true, configurable: true }, [])],
    ["a getter", withMember("a", { get: () => 1, enumerable: true })],
    ["a setter", withMember("a", { set: () => undefined, enumerable: true })],
    ["a hidden member", withMember("a", { value: 1, enumerable: false })],
    ["toJSON", { toJSON: 1 }],
    ["constructor", { constructor: 1 }],
    ["prototype", { a: { prototype: 1 } }],
    ["its own __proto__", JSON.parse('{"__proto__": {"admin": true}}')],
    ["another prototype", Object.create({ inherited: 1 })],
  ])("is not %s", (_what, value) => {
    expect(faultOf(value)).toBe("not_plain_json");
  });

  it("is limited in depth and bytes, circular parts included", () => {
    expect(faultOf([[[1]]], { ...LIMITS, maxDepth: 3 })).toBeNull();
    expect(faultOf([[[[1]]]], { ...LIMITS, maxDepth: 3 })).toBe("value_too_deep");
    expect(faultOf("é".repeat(4), { ...LIMITS, maxBytes: 10 })).toBeNull();
    expect(faultOf("é".repeat(5), { ...LIMITS, maxBytes: 10 })).toBe("value_too_large");
    expect(faultOf(circular())).toBe("value_too_deep");
    expect(faultOf(shared(), { maxBytes: 10_000, maxDepth: 100 })).toBe("value_too_large");
  });

  it("is copied, so that nothing changes between check and use", () => {
    const value = { list: [{ a: 1 }] };
    const plain = toPlainJson(value, LIMITS);
    value.list[0] = { a: 2 };
    expect(plain).toEqual({ ok: true, value: { list: [{ a: 1 }] } });
  });

  it("has one zero: live and stored values agree", () => {
    const plain = toPlainJson([-0], LIMITS);
    expect(plain.ok && Object.is((plain.value as number[])[0], 0)).toBe(true);
  });

  it("refuses values that throw when read", () => {
    const hostile = new Proxy({}, { ownKeys: () => Array<never>(1), getPrototypeOf: () => Object.prototype });
    expect(faultOf(hostile)).toBe("not_plain_json");
    fc.assert(
      fc.property(
        fc.anything({
          withMap: true,
          withSet: true,
          withDate: true,
          withSparseArray: true,
          withNullPrototype: true,
          withBigInt: true,
          withTypedArray: true,
          withBoxedValues: true,
        }),
        (value) => {
          expect(["not_plain_json", "value_too_deep", "value_too_large", null]).toContain(faultOf(value));
        },
      ),
    );
  });

  it("survives writing and reading once accepted", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: "grapheme" }), (value) => {
        const plain = toPlainJson(value, { maxBytes: 1_000_000, maxDepth: 16 });
        if (!plain.ok) return;
        expect(JSON.parse(toCanonicalJson(plain.value))).toEqual(plain.value);
        expect(toCanonicalJson(JSON.parse(toCanonicalJson(plain.value)) as Json)).toBe(toCanonicalJson(plain.value));
      }),
    );
  });
});

describe("members", () => {
  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])("%s is never an own member", (key) => {
    expect(ownMember({}, key)).toBeUndefined();
    expect(ownMember("text", key)).toBeUndefined();
  });

  it("of a frozen copy cannot change at any depth", () => {
    const copy = freezeCopy({ a: [{ b: 1 }] });
    expect(Object.isFrozen(copy) && Object.isFrozen(copy.a) && Object.isFrozen(copy.a[0])).toBe(true);
  });
});

describe("canonical text", () => {
  it("equals another RFC 8785 implementation's", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }), (value) => {
        expect(toCanonicalJson(value as Json)).toBe(canonicalize(value));
      }),
      { numRuns: 500 },
    );
  });

  it("orders names by code units, also numeric ones and long common prefixes", () => {
    expect(toCanonicalJson({ b: 1, "10": 2, "9": 3, a: { "\u{1f600}": 1, "\ufb33": 2, "": 3 }, B: [] })).toBe(
      '{"10":2,"9":3,"B":[],"a":{"":3,"\u{1f600}":1,"\ufb33":2},"b":1}',
    );
  });

  it("limits its name cache, without effect on the text", () => {
    const names = Array.from({ length: 3_000 }, (_, n) => `name${n}`);
    for (const name of [...names, ...names]) expect(toCanonicalJson({ [name]: 1 })).toBe(`{"${name}":1}`);
  });

  it.each([
    ["a lone surrogate", "a\ud800"],
    ["a name with a lone surrogate", { "\udc00": 1 }],
    ["NaN", [Number.NaN]],
    ["a bigint", 1n],
    ["nothing", undefined],
    ["a function", [() => 1]],
  ])("throws for %s", (_what, value) => {
    expect(() => toCanonicalJson(value as Json)).toThrow(TypeError);
  });

  it("is measured in UTF-8 bytes", () => {
    expect(countJsonBytes("€")).toBe(5);
  });

  it("does not depend on the order of names", () => {
    expect(toCanonicalJson({ b: 1, a: [2, { d: 3, c: 4 }] })).toBe(toCanonicalJson({ a: [2, { c: 4, d: 3 }], b: 1 }));
  });
});

it("is too large exactly when its canonical text is, despite the fast path", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 400 }), (value, maxBytes) => {
      const whole = toPlainJson(value, { maxBytes: 1_000_000, maxDepth: 32 });
      fc.pre(whole.ok);
      const bounded = toPlainJson(value, { maxBytes, maxDepth: 32 });
      expect(bounded.ok).toBe(whole.ok && countJsonBytes(whole.value) <= maxBytes);
    }),
    { numRuns: 1_000 },
  );
  // Six bytes per control character.
  expect(toPlainJson("\u0001".repeat(10), { maxBytes: 61, maxDepth: 1 }).ok).toBe(false);
  expect(toPlainJson("\u0001".repeat(10), { maxBytes: 62, maxDepth: 1 }).ok).toBe(true);
});
