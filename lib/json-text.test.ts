import { describe, expect, it } from "vitest";
import { linesOf, readJsonText } from "@/lib/json-text";

const LIMITS = { maxBytes: 100, maxDepth: 5 };

describe("JSON text", () => {
  it.each([
    ["a member twice", '{"a":1,"a":2}', "member_twice"],
    ["a member twice, deep inside", '[{"b":{"a":1,"c":[],"a":2}}]', "member_twice"],
    ["a member twice, written in two ways", String.raw`{"a":1,"\u0061":2}`, "member_twice"],
    ["a quote in a name that is there twice", String.raw`{"\"a":1,"\"a":2}`, "member_twice"],
    ["text that is not JSON", '{"a":1', "no_json"],
    ["more than the limit", `"${"x".repeat(100)}"`, "too_large"],
    ["nesting beyond the limit", "[[[[[[1]]]]]]", "not_plain"],
    ["a name of a prototype", '{"__proto__":1}', "not_plain"],
  ])("is refused for %s", (_what, text, fault) => {
    expect(readJsonText(text, LIMITS)).toEqual({ ok: false, error: fault });
  });

  it("is accepted with equal names in different objects, or as values", () => {
    const text = '{"a":{"a":"a"},"b":[{"a":1},{"a":"\\"a\\":1,"}]}';
    expect(readJsonText(text, LIMITS)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  });
});

describe("lines", () => {
  it.each(["", "a", "a\n", "a\nb", "\n\n", "a\n\nb\n"])("are those of the text %j", (text) => {
    expect([...linesOf(text)]).toEqual(text.split("\n"));
  });
});
