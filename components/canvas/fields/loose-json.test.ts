import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonSchema } from "@/lib/json";
import { looseText, looseValue } from "./loose-json";

test("what is shown for a value is that value when it is typed again", () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.constantFrom("3", "true", "null", '"a"', "", "{}")), (value) => {
      const json = jsonSchema.parse(JSON.parse(JSON.stringify(value)));
      expect(looseValue(looseText(json))).toEqual(json);
    }),
  );
});

test("a plain word is shown as it is, and a text that looks like a number in quotes", () => {
  expect(looseText("yes")).toBe("yes");
  expect(looseText("3")).toBe('"3"');
  expect(looseValue("3")).toBe(3);
});
