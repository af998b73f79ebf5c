import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonSchema } from "@/lib/json";
import { formatLoose, parseLoose } from "./loose-json";

test("round-trips every value through its text", () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.constantFrom("3", "true", "null", '"a"', "", "{}")), (value) => {
      const json = jsonSchema.parse(JSON.parse(JSON.stringify(value)));
      expect(parseLoose(formatLoose(json))).toEqual(json);
    }),
  );
});

test("shows plain words unquoted, and text that looks like a number in quotes", () => {
  expect(formatLoose("yes")).toBe("yes");
  expect(formatLoose("3")).toBe('"3"');
  expect(parseLoose("3")).toBe(3);
});
