import { describe, expect, it } from "vitest";
import { isUsableSchema, matchesSchema, findSchemaFaults } from "@/lib/graph/json-schema";
import type { Json } from "@/lib/json";

const deep = (levels: number): Json => Array.from({ length: levels }).reduce<Json>((inner) => [inner], 1);

describe("a key's schema", () => {
  const schema = { type: "object", properties: { plan: { type: "string" }, properties: { type: "object" } } };

  it("allows the listed members only, at every level, unless it says so", () => {
    expect(matchesSchema(schema, { plan: "x" }, true)).toBe(true);
    expect(matchesSchema(schema, { plan: "x", admin: true }, true)).toBe(false);
    expect(matchesSchema(schema, { plan: "x", admin: true }, false)).toBe(true);
    expect(matchesSchema({ ...schema, additionalProperties: true }, { other: 1 }, true)).toBe(true);
    expect(matchesSchema({ type: "array", items: schema }, [{ admin: true }], true)).toBe(false);
  });

  it("answers each value by itself, also with patterns", () => {
    const coded = { type: "object", properties: { code: { type: "string", pattern: "^a" } } };
    for (const code of ["a", "b", "ab"]) expect([code, matchesSchema(coded, { code }, true)]).toEqual([code, code.startsWith("a")]);
    for (const plan of ["a", 1, "b"]) expect([plan, matchesSchema(schema, { plan }, true)]).toEqual([plan, typeof plan === "string"]);
  });

  it("is not taken for keywords where it names members", () => {
    expect(matchesSchema(schema, { properties: {} }, true)).toBe(true);
    expect(matchesSchema(schema, { additionalProperties: 1 }, true)).toBe(false);
    expect(matchesSchema({ properties: { not: { properties: { a: {} } } } }, { not: { b: 1 } }, true)).toBe(false);
  });

  it("keeps what it forbids when it is closed", () => {
    const forbids = { type: "object", additionalProperties: true, not: { properties: { admin: { const: true } }, required: ["admin"] } };
    expect(matchesSchema(forbids, { admin: true, more: 1 }, true)).toBe(false);
    const demands = {
      type: "object",
      additionalProperties: true,
      if: { properties: { kind: { const: "credit" } }, required: ["kind"] },
      // eslint-disable-next-line unicorn/no-thenable
      then: { required: ["amount"] },
    };
    expect(matchesSchema(demands, { kind: "credit", more: 1 }, true)).toBe(false);
    expect(matchesSchema(demands, { kind: "credit", amount: 1 }, true)).toBe(true);
  });

  it("compares fixed values as they are", () => {
    expect(matchesSchema({ const: { properties: 1 } }, { properties: 1 }, true)).toBe(true);
    expect(matchesSchema({ enum: [{ properties: {} }] }, { properties: {} }, true)).toBe(true);
  });

  it("says where a value first fails", () => {
    expect(findSchemaFaults(schema, { plan: 1 })).toContain("#/plan");
    expect(findSchemaFaults(schema, { plan: "x" })).toEqual([]);
  });

  it("that cannot be used matches nothing, and nothing makes it throw", () => {
    for (const bad of [{ $ref: "https://example.com/schema" }, { type: "string", pattern: "[" }]) {
      expect(matchesSchema(bad, "x", true)).toBe(false);
      expect(matchesSchema(bad, "x", false)).toBe(false);
    }
    expect(isUsableSchema({ type: "string" })).toBe(true);
    expect(typeof matchesSchema({ $ref: "#" }, deep(100_000), true)).toBe("boolean");
  });
});
