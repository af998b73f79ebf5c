import { expect, test } from "vitest";
import { generateBytes } from "@/server/security/fresh-bytes";

test("every portion has the requested length and is unique, over many refills", () => {
  const portions = Array.from({ length: 4_000 }, (_, n) => generateBytes(n % 2 === 0 ? 12 : 32));
  expect(portions.every(({ length }, n) => length === (n % 2 === 0 ? 12 : 32))).toBe(true);
  expect(new Set(portions.map((portion) => portion.toString("hex"))).size).toBe(portions.length);
  const [first = generateBytes(12), ...others] = portions;
  const texts = others.map((portion) => portion.toString("hex"));
  first.fill(0);
  expect(others.map((portion) => portion.toString("hex"))).toEqual(texts);
  expect(() => generateBytes(1_025)).toThrow(RangeError);
});
