import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesSchema } from "@/lib/graph/json-schema";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { findWidenings } from "./widening";

const of = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const said = (before: JsonObject, after: JsonObject): string[] => findWidenings(before, after).map(({ at, what }) => `${at}: ${what}`);

describe("a wider schema", () => {
  test.each<[string, JsonObject, JsonObject, string]>([
    ["a new property", of({ to: {} }), of({ to: {}, bcc: { type: "string" } }), "bcc: is accepted now and was not declared before"],
    ["one that is optional now", of({ to: {} }, { required: ["to"] }), of({ to: {} }), "to: is no longer required"],
    ["another type", of({ n: { type: "integer" } }), of({ n: { type: ["integer", "string"] } }), "n: may also be string, not only integer"],
    ["more choices", of({ k: { enum: ["a"] } }), of({ k: { enum: ["a", "b"] } }), 'k: may also be "b"'],
    ["no choices", of({ k: { const: "a" } }), of({ k: { type: "string" } }), 'k: may be any value, not only one of ["a"]'],
    ["a higher limit", of({ n: { maximum: 10 } }), of({ n: { maximum: 1000 } }), "n: has maximum 1000 instead of 10"],
    ["no limit", of({ s: { maxLength: 5 } }), of({ s: {} }), "s: may be any value now"],
    [
      "no pattern",
      of({ s: { type: "string", pattern: "^a$" } }),
      of({ s: { type: "string" } }),
      "s: has a different “pattern”, which may accept more",
    ],
    ["open objects", of({}, { additionalProperties: false }), of({}), "*: is accepted now and was refused before"],
    ["deep in a list", of({ l: { items: { type: "string" } } }), of({ l: { items: {} } }), "l[]: may be any value now"],
    [
      "in a list",
      of({ l: { type: "array", items: { type: "null" } } }),
      of({ l: { type: "array", items: { type: "string" } } }),
      "l[]: may also be string, not only null",
    ],
    [
      "an unknown keyword",
      of({ a: { anyOf: [{ type: "null" }] } }),
      of({ a: { anyOf: [] } }),
      "a: has a different “anyOf”, which may accept more",
    ],
  ])("%s", (_name, before, after, expected) => {
    expect(said(before, after)).toContain(expected);
  });

  test("is not reported for narrowing or annotations", () => {
    const before = of({ to: { type: "string", description: "Who" }, n: { type: "number", maximum: 10 } });
    expect(said(before, before)).toEqual([]);
    expect(
      said(
        before,
        of({ to: { type: "string", description: "IMPORTANT", maxLength: 5 }, n: { type: "integer", maximum: 3 } }, { required: ["to"] }),
      ),
    ).toEqual([]);
    expect(said(before, of({ to: { type: "string" } }, { additionalProperties: false }))).toEqual([]);
  });

  test("is described in at most fifty sentences", () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`p${index}`, {}]));
    expect(findWidenings(of({}), of(many))).toHaveLength(50);
  });
});

const name = fc.constantFrom("a", "b", "c");
const scalar: fc.Arbitrary<Json> = fc.constantFrom<Json>(null, true, 0, 3, 7.5, "", "a", "bb", "ccc");
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie("value"), { maxLength: 3 }), fc.dictionary(name, tie("value"), { maxKeys: 3 })),
})).value;

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const type = fc.constantFrom("null", "boolean", "object", "array", "number", "integer", "string");
const schema: fc.Arbitrary<Json> = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    fc.boolean(),
    fc
      .record({
        type: optional(fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))),
        enum: optional(fc.array(scalar, { minLength: 1, maxLength: 3 })),
        minimum: optional(fc.constantFrom(0, 3)),
        maximum: optional(fc.constantFrom(3, 7)),
        minLength: optional(fc.constantFrom(1, 2)),
        maxItems: optional(fc.constantFrom(0, 2)),
        pattern: optional(fc.constantFrom("^a", "b$")),
        required: optional(fc.uniqueArray(name, { maxLength: 2 })),
        properties: optional(fc.dictionary(name, tie("schema"), { maxKeys: 2 })),
        patternProperties: optional(fc.dictionary(fc.constantFrom("^a", "[bc]"), tie("schema"), { maxKeys: 1 })),
        additionalProperties: optional(tie("schema")),
        items: optional(tie("schema")),
        anyOf: optional(fc.array(tie("schema"), { minLength: 1, maxLength: 2 })),
        not: optional(tie("schema")),
      })
      .map((words) => JSON.parse(JSON.stringify(words)) as Json),
  ),
})).schema;

const changed = fc
  .tuple(schema, schema, fc.constantFrom("type", "properties", "items", "required", "additionalProperties", "maximum", "enum", "not"))
  .map(([base, other, word]): [Json, Json] => {
    if (!isJsonObject(base) || !isJsonObject(other)) return [base, other];
    const kept = Object.entries(base).filter(([own]) => own !== word);
    const taken = Object.entries(other).filter(([own]) => own === word);

    return [base, Object.fromEntries([...kept, ...taken])];
  });

const wrapped = (inner: Json): JsonObject => ({ properties: { value: inner } });

test("reports every schema that accepts more than before", () => {
  let wider = 0;
  fc.assert(
    fc.property(
      fc.oneof(changed, fc.tuple(schema, schema)),
      fc.array(value, { minLength: 5, maxLength: 30 }),
      ([before, after], values) => {
        const [was, is] = [wrapped(before), wrapped(after)];
        const lets = values.some((each) => matchesSchema(is, { value: each }, false) && !matchesSchema(was, { value: each }, false));
        if (lets) wider += 1;

        return !lets || findWidenings(was, is).length > 0;
      },
    ),
    { numRuns: 1_500 },
  );
  expect(wider).toBeGreaterThan(100);
});
