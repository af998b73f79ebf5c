import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonSchema } from "@/lib/json";
import { looseText, looseValue } from "./loose-json";

test("round-trips every value through its text", () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.constantFrom("3", "true", "null", '"a"', "", "{}")), (value) => {
      const json = jsonSchema.parse(JSON.parse(JSON.stringify(value)));
      expect(looseValue(looseText(json))).toEqual(json);
    }),
  );
});

test("shows plain words unquoted, and text that looks like a number in quotes", () => {
  expect(looseText("yes")).toBe("yes");
  expect(looseText("3")).toBe('"3"');
  expect(looseValue("3")).toBe(3);
});
