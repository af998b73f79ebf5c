import { expect, test } from "vitest";
import type { ExtractValue } from "@/lib/graph/kinds/extract";
import { findFormFaults } from "@/lib/graph/extract-form";
import type { Json } from "@/lib/json";

const fits = (value: ExtractValue, given: Json): boolean =>
  findFormFaults([{ name: "f", description: "", required: true, value }], { f: given }) === null;

const TABLE: readonly (readonly [ExtractValue, readonly Json[], readonly Json[]])[] = [
  [{ type: "enum", values: ["a", "b"] }, ["a", "b"], ["A", "a ", "", null, ["a"], { a: 1 }, 0, true]],
  [{ type: "integer", min: 0, max: 10 }, [0, 10], [-1, 11, 1.5, "1", true, null, 2 ** 60, [1]]],
  [{ type: "number", min: 0, max: 1 }, [0, 0.5, 1], [-0.1, 1.1, "0.5", null, true]],
  [{ type: "boolean" }, [true, false], ["true", 1, 0, null]],
  [
    { type: "date" },
    ["2026-11-22", "2024-02-29"],
    [
      "2026-02-29",
      "2026-13-01",
      "2026-00-10",
      "0000-01-01",
      "2026-1-1",
      "2026-11-22T00:00:00Z",
      " 2026-11-22",
      "2026-11-22\n",
      20_261_122,
      null,
    ],
  ],
  [{ type: "text", max_length: 3 }, ["", "abc", "😀😀😀"], ["abcd", 1, null, ["a"], "\ud800"]],
  [
    { type: "url" },
    ["https://example.com/a?b=1#c", "http://example.com:8080/", "https://[::1]/"],
    [
      "javascript:alert(1)",
      "ftp://example.com/",
      "//example.com/",
      "https:/example.com",
      "https://",
      "https://user@example.com/",
      "https://example.com\\@evil.net/",
      "https://exa mple.com/",
      "https://example.com/\n",
      "https://example.com/\u202egnp.exe",
      "https://ex\u0430mple.com/",
      `https://example.com/${"a".repeat(3_000)}`,
      "example.com",
      null,
    ],
  ],
  [
    { type: "email" },
    ["a@example.com", "a.b+c@sub.example.co"],
    [
      "a@b",
      "a@@example.com",
      "a@evil.net@example.com",
      '"a b"@example.com',
      "a@example.com\n",
      " a@example.com",
      "a@example.com>",
      "a@-x.com",
      "@x.com",
      "a@x..com",
      1,
    ],
  ],
  [{ type: "path" }, ["a/b.txt", "/a/../b", "."], ["", "a\\b", "a\u0000b", "a\nb", "a\u202eb", "a".repeat(2_000), 1, null]],
];

test.each(TABLE)("a field of %o takes what it says and nothing else", (value, good, bad) => {
  for (const given of good) expect([given, fits(value, given)]).toEqual([given, true]);
  for (const given of bad) expect([given, fits(value, given)]).toEqual([given, false]);
});

test("a form is exactly its fields: names missing and invalid fields, and rejects extra ones unnamed", () => {
  const fields = [
    { name: "a", description: "", required: true, value: { type: "boolean" as const } },
    { name: "b", description: "", required: false, value: { type: "boolean" as const } },
  ];
  expect(findFormFaults(fields, { a: true })).toBeNull();
  expect(findFormFaults(fields, { a: true, b: false })).toBeNull();
  expect(findFormFaults(fields, { b: true })).toEqual(["a"]);
  expect(findFormFaults(fields, { a: true, b: null })).toEqual(["b"]);
  expect(findFormFaults(fields, { a: true, canary: 1 })).toEqual([]);
  expect(findFormFaults(fields, JSON.parse('{"a": true, "__proto__": {"b": true}}') as Json)).toEqual([]);
  for (const value of [null, [], "x", 1, [{ a: true }]]) expect(findFormFaults(fields, value)).toEqual([]);
});
