import { expect, test } from "vitest";
import { buildFieldRows, findFormObjection } from "./field-rows";
import { findLiteralPlaces, splitSource } from "./literal-places";
import { describeRule } from "./rule-text";
import { toShownText } from "./visible-offsets";

test("maps a selection on screen to the original text with invisible characters", () => {
  const text = "a\u200Bbc😀d";
  const shown = toShownText(text);
  expect(shown.text).toBe("a⟨U+200B⟩bc😀d");
  const at = (words: string) => ({ start: shown.text.indexOf(words), end: shown.text.indexOf(words) + words.length });
  const original = (words: string) => {
    const { start, end } = shown.original(at(words));

    return text.slice(start, end);
  };
  expect(original("bc")).toBe("bc");
  expect(original("😀d")).toBe("😀d");
  expect(original("200B⟩b")).toBe("\u200Bb");
  expect(shown.original({ start: 0, end: shown.text.length })).toEqual({ start: 0, end: text.length });
});

test("finds all verbatim occurrences of a value", () => {
  const parts = splitSource({ title: "Trees", body: "Trees cool. Trees sing.", pages: [{ n: 12 }], empty: null });
  expect(parts.map(({ path }) => path)).toEqual(["title", "body", "pages.0.n"]);
  expect(findLiteralPlaces(parts, "Trees")).toEqual([
    { path: "title", start: 0, end: 5 },
    { path: "body", start: 0, end: 5 },
    { path: "body", start: 12, end: 17 },
  ]);
  expect(findLiteralPlaces(parts, 12)).toEqual([{ path: "pages.0.n", start: 0, end: 2 }]);
  for (const nowhere of ["trees", "", true, null, undefined]) expect(findLiteralPlaces(parts, nowhere)).toEqual([]);
});

const FIELDS = [
  { name: "tone", description: "", required: true, value: { type: "enum" as const, values: ["neutral", "loud"] } },
  { name: "link", description: "", required: false, value: { type: "url" as const } },
];
const RULES = [
  { field: "tone", rule: { type: "enum" as const, values: ["neutral"] } },
  { field: "link", rule: { type: "url" as const, origins: ["https://library.example"], path: "/pages" } },
];
const standings = (target: Record<string, string>, rules = RULES) =>
  Object.fromEntries(buildFieldRows(target, FIELDS, rules, null).map(({ name, standing }) => [name, standing]));

test("rates each field by its only rule", () => {
  expect(standings({ tone: "neutral" })).toEqual({ tone: "passes", link: "left_out" });
  expect(standings({ tone: "loud", link: "https://library.example.evil.example/pages" })).toEqual({ tone: "fails", link: "fails" });
  expect(standings({ link: "https://library.example/pages/a" })).toEqual({ tone: "fails", link: "passes" });
  expect(standings({ tone: "neutral", extra: "x" })).toMatchObject({ extra: "no_rule" });
  expect(standings({ tone: "neutral" }, [...RULES, ...RULES])).toMatchObject({ tone: "no_rule" });
});

test("objects to a form that doesn't match the requested one", () => {
  const objection = (target: Record<string, string>) => findFormObjection(target, FIELDS, buildFieldRows(target, FIELDS, RULES, null));
  expect(objection({ tone: "neutral" })).toBeNull();
  expect(objection({ tone: "neutral", extra: "x" })).toContain("Doesn't match the requested form");
  expect(objection({ tone: "loud" })).toContain("1 of 2 fields");
  expect(objection({})).toContain("Doesn't match");
});

test("describes rules", () => {
  expect(RULES.map(({ rule }) => describeRule(rule))).toEqual(["is “neutral”", "is a URL on https://library.example, at or below /pages"]);
  expect(describeRule({ type: "mail_domain", domains: ["a.example"] })).toBe("is an email address at exactly a.example");
});
