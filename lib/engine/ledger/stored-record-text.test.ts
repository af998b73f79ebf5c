import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";
import { isCanonicalText, isSameJson } from "@/lib/engine/ledger/stored-record-text";

const json = fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

const isForm = (text: string, read: Json = JSON.parse(text) as Json) => isCanonicalText(text, JSON.parse(text), read);

describe("canonical text", () => {
  it("is recognised exactly when it equals the canonical form", () => {
    fc.assert(
      fc.property(json, (value) => {
        const form = toCanonicalJson(value);
        expect(isForm(form)).toBe(true);
        for (const other of [JSON.stringify(value), ` ${form}`]) expect(isForm(other)).toBe(other === form);
      }),
    );
  });

  it.each([
    ["names in another order", '{"b":1,"a":2}'],
    ["names in another order deep within", '{"a":[{"b":1,"a":2}]}'],
    ["a name twice", '{"a":1,"a":1}'],
    ["a space", '{"a": 1}'],
    ["a number written otherwise", '{"a":1.0}'],
    ["a zero below zero", '{"a":-0}'],
    ["a letter written as an escape", '{"a":"\\u0062"}'],
  ])("is not recognised with %s", (_what, text) => {
    expect(isForm(text)).toBe(false);
  });

  it("is recognised with numeric names in digit order, although objects reorder them", () => {
    expect(isForm('{"10":1,"9":2}')).toBe(true);
    expect(isForm('{"9":2,"10":1}')).toBe(false);
  });

  it("is not recognised when a schema removed, added or changed something", () => {
    const text = '{"a":[1,{"b":null}],"c":"d"}';
    expect(isForm(text, { c: "d", a: [1, { b: null }] })).toBe(true);
    const others: readonly Json[] = [
      { a: [1, { b: null }] },
      { a: [1, { b: null }], c: "d", e: 1 },
      { a: [1, { b: null }], c: "e" },
      { a: [1, { x: null }], c: "d" },
      { a: [1, {}], c: "d" },
      { a: [1], c: "d" },
      { a: { 0: 1, 1: { b: null } }, c: "d" },
      [],
      null,
    ];
    expect(others.filter((other) => isForm(text, other))).toEqual([]);
  });
});

it("equal JSON is equal in any member order, and nothing else is", () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(isSameJson(a, b)).toBe(toCanonicalJson(a) === toCanonicalJson(b));
      expect(isSameJson(a, JSON.parse(toCanonicalJson(a)) as Json)).toBe(true);
    }),
  );
  expect(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(isSameJson([], {})).toBe(false);
});
