import pg from "pg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";
import { toJsonTextArray, toWordArray } from "@/server/store/sql/array-text";

const TEXT_ARRAY = 1009;
const parseArray = new pg.TypeOverrides().getTypeParser<unknown>(TEXT_ARRAY);

test("keeps every JSON text", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ stringUnit: "binary" })), (values) => {
      const texts = values.map((value) => toCanonicalJson(value as Json));
      expect(parseArray(toJsonTextArray(texts))).toEqual(texts);
    }),
  );
});

test.each(['"', "\\", '\\"', "{a,b}", "NULL", "\n\t\0", "\u007f\u2028", "'"])("keeps a text with %j", (text) => {
  const texts = [toCanonicalJson(text), toCanonicalJson({ [text]: [text] })];
  expect(parseArray(toJsonTextArray(texts))).toEqual(texts);
});

test("keeps numbers and digests", () => {
  expect(parseArray(toWordArray([0, 17, -1]))).toEqual(["0", "17", "-1"]);
  expect(parseArray(toWordArray(["00ff", "ab12"]))).toEqual(["00ff", "ab12"]);
  expect(parseArray(toWordArray([]))).toEqual([]);
});
