import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "@/lib/json";
import { matchesSchema } from "./json-schema";
import { describeSchema, listSchemaFaults } from "./schema-faults";

const CHANGE: JsonObject = {
  type: "object",
  properties: {
    customer_id: { type: "string", pattern: "^cus_[0-9]+$" },
    plan: { enum: ["starter", "team"] },
    credit_cents: { type: "integer", minimum: 0, maximum: 100 },
    lines: { type: "array", items: { $ref: "#/$defs/line" } },
  },
  required: ["customer_id", "plan"],
  $defs: { line: { type: "object", properties: { sku: { type: "string", maxLength: 3 } }, required: ["sku"] } },
};

const faults = (value: Json) =>
  listSchemaFaults(CHANGE, value).map(({ path, expected, value: found }) => [path.join("."), expected, found]);

test("names the field, what fits there and what came", () => {
  expect(faults({ customer_id: "cus_1", plan: "gold", credit_cents: "12.50" })).toEqual([
    ["plan", 'one of "starter", "team"', "gold"],
    ["credit_cents", "integer, 0 to 100", "12.50"],
  ]);
  expect(faults({ customer_id: "x", plan: "team" })).toEqual([["customer_id", "string, matching ^cus_[0-9]+$", "x"]]);
});

test("names missing fields, and says which others there may be without naming what came", () => {
  expect(faults({ plan: "team" })).toEqual([["customer_id", "string, matching ^cus_[0-9]+$", undefined]]);
  expect(faults({ customer_id: "cus_1", plan: "team", secret_name: 1 })).toEqual([
    ["", "no fields besides customer_id, plan, credit_cents, lines", { secret_name: 1 }],
  ]);
});

test("finds faults inside lists and behind references", () => {
  expect(faults({ customer_id: "cus_1", plan: "team", lines: [{ sku: "ok" }, { sku: "too long" }, {}] })).toEqual([
    ["lines.1.sku", "string, at most 3 characters", "too long"],
    ["lines.2.sku", "string, at most 3 characters", undefined],
  ]);
});

test("says what the whole should be when it is something else", () => {
  expect(faults("no")).toEqual([["", "object, with customer_id, plan", "no"]]);
  expect(listSchemaFaults({ type: "string" }, 5)).toEqual([{ path: [], expected: "string", value: 5 }]);
  expect(describeSchema({ anyOf: [{ type: "null" }, { const: 3 }] })).toBe("null, or 3");
});

test("a fault below a field of any name is said of the whole: the name is data", () => {
  const schema: JsonObject = {
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: { type: "object", properties: { a: { type: "integer" } } },
  };
  expect(listSchemaFaults(schema, { x: { a: "no" } })).toEqual([{ path: [], expected: "object", value: { x: { a: "no" } } }]);
});

test("a value has faults exactly when it does not fit, and paths name declared fields only", () => {
  const value = fc.record(
    {
      customer_id: fc.oneof(fc.constant("cus_1"), fc.jsonValue()),
      plan: fc.oneof(fc.constant("team"), fc.jsonValue()),
      credit_cents: fc.oneof(fc.integer({ min: -5, max: 200 }), fc.string()),
      lines: fc.oneof(fc.array(fc.record({ sku: fc.string({ maxLength: 5 }) })), fc.jsonValue()),
      other: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(value, (any) => {
      const found = listSchemaFaults(CHANGE, any as Json);
      expect(found.length === 0).toBe(matchesSchema(CHANGE, any as Json, true));
      for (const { path } of found)
        expect(path.every((part) => /^(?:customer_id|plan|credit_cents|lines|sku|\d+)$/u.test(part))).toBe(true);
    }),
    { numRuns: 200 },
  );
});
