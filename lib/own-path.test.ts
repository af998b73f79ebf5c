import fc from "fast-check";
import { expect, test } from "vitest";
import { ownPath } from "./own-path";

test("keeps own pages with their id", () => {
  expect(ownPath("/approvals/00000000-0000-4000-8000-000000000001")).toBe("/approvals/00000000-0000-4000-8000-000000000001");
  expect(ownPath(null)).toBe("/");
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "/%2f%2fevil.example",
  "/..//evil.example",
  "/.//evil.example",
  "/a/..//evil.example/",
  "/\tevil.example",
  "/ /evil.example",
  "evil.example",
  "/a?to=//evil.example",
  "",
])("%s leads home", (text) => {
  expect(ownPath(text)).toBe("/");
});

test("nothing leads to another site", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[/\\.a-z:@]{1,20}$/)), (text) => {
      const path = ownPath(text);
      expect(new URL(path, "https://countersign.test/sign-in").origin).toBe("https://countersign.test");
    }),
    { numRuns: 2_000 },
  );
});
