import { Validator } from "@cfworker/json-schema";
import { array, assert, constantFrom, dictionary, oneof, property, record, type Arbitrary } from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "@/lib/json";
import { isUsableSchema, matchesSchema, findSchemaFaults } from "./json-schema";
import { answerPatterns } from "./json-schema-patterns";

const CATASTROPHIC = "^(a+)+$";
const TRAP = `${"a".repeat(40)}!`;

test.each<[string, JsonObject, Json]>([
  ["a pattern", { type: "string", pattern: CATASTROPHIC }, TRAP],
  ["the pattern of a member's name", { propertyNames: { pattern: CATASTROPHIC } }, { [TRAP]: 1 }],
  ["a pattern below not", { not: { not: { pattern: CATASTROPHIC } } }, TRAP],
  ["a pattern below if", { if: { pattern: CATASTROPHIC }, else: false }, TRAP],
  ["a pattern reached by reference", { $ref: "#/hidden", hidden: { pattern: CATASTROPHIC } }, TRAP],
  ["a pattern among the examples, reached by reference", { $ref: "#/examples/0", examples: [{ pattern: CATASTROPHIC }] }, TRAP],
  ["patterned properties", { patternProperties: { [CATASTROPHIC]: true }, additionalProperties: false }, { [TRAP]: 1 }],
  ["the validator's own exponential format", { format: "url" }, `http://${"a".repeat(60)} `],
])("%s that would stall a backtracking engine is answered, and the validator never sees it", (_, schema, value) => {
  // A backtracking engine would never get here.
  expect(matchesSchema(schema, value, false)).toBe(false);
  expect(JSON.stringify(answerPatterns(schema, value))).not.toMatch(/"pattern"|"patternProperties"|"url"/);
});

test.each([
  ["looks around", "^(?=a)b"],
  ["refers back", String.raw`(a)\1`],
  ["multiplies repetitions", "((a{100}){100}){100}"],
  ["is longer than 1,000 characters", "a".repeat(1_001)],
  ["does not parse", "["],
])("a pattern that %s is refused when it is saved and matches nothing when it is there", (_, pattern) => {
  expect(isUsableSchema({ properties: { a: { pattern } } })).toBe(false);
  expect(isUsableSchema({ patternProperties: { [pattern]: {} } })).toBe(false);
  expect(matchesSchema({ pattern }, "a", true)).toBe(false);
});

test("more than 64 patterns are refused", () => {
  const schema = (patterns: number) => ({ allOf: Array.from({ length: patterns }, () => ({ pattern: "a" })) });

  expect(isUsableSchema(schema(64))).toBe(true);
  expect(isUsableSchema(schema(65))).toBe(false);
});

test("a fault is still named where it is", () => {
  const schema = { properties: { id: { type: "string", pattern: "^cus_[0-9]{1,12}$" } } };

  expect(findSchemaFaults(schema, { id: "cus_1001" })).toEqual([]);
  expect(findSchemaFaults(schema, { id: "cus_x" })).toContain("#/id");
});

test("members named like keywords stay members", () => {
  const schema = { properties: { pattern: { type: "string" }, patternProperties: { type: "object" } } };

  expect(matchesSchema(schema, { pattern: "[", patternProperties: { "(": 1 } }, true)).toBe(true);
  expect(matchesSchema({ const: { pattern: "[" } }, { pattern: "[" }, true)).toBe(true);
});

const patterns = constantFrom("^a", "b$", "^[ab]+$", "a|c", "^.{2,3}$");
const names = constantFrom("a", "ab", "b", "bc", "abc", "cc");
const leaves = constantFrom<Json>("a", "ab", "bab", "c", "", 1, null, true);
const values = oneof(leaves, dictionary(names, oneof(leaves, dictionary(names, leaves, { maxKeys: 2 })), { maxKeys: 3 }));
const schemasOf = (levels: number): Arbitrary<JsonObject> => {
  const inner = levels === 0 ? constantFrom<JsonObject>({}, { type: "string" }, { pattern: "b" }) : schemasOf(levels - 1);

  return record<JsonObject>(
    {
      pattern: patterns,
      type: constantFrom("string", "object"),
      enum: constantFrom(["a", "ab", {}]),
      not: inner,
      anyOf: array(inner, { minLength: 1, maxLength: 2 }),
      allOf: array(inner, { minLength: 1, maxLength: 2 }),
      properties: dictionary(names, inner, { maxKeys: 2 }),
      patternProperties: dictionary(patterns, inner, { maxKeys: 2 }),
      additionalProperties: inner,
      unevaluatedProperties: constantFrom(false),
      propertyNames: inner,
    },
    { requiredKeys: [] },
  );
};

test("for harmless patterns the answer is the one that the validator itself would give", () => {
  assert(
    property(schemasOf(1), values, (schema, value) => {
      const plain = new Validator(structuredClone(schema), "2020-12", true).validate(value).valid;
      expect(matchesSchema(schema, value, false)).toBe(plain);
    }),
    { numRuns: 1_000 },
  );
});
