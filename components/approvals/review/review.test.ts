import { expect, test } from "vitest";
import { fieldRows, formObjection } from "./field-rows";
import { literalPlaces, sourceParts } from "./literal-places";
import { ruleText } from "./rule-text";
import { shownText } from "./visible-offsets";

test("what is selected on screen is the same part of the text itself, with what is not to be seen in it", () => {
  const text = "a\u200Bbc😀d";
  const shown = shownText(text);
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

test("a value is found where it stands in the source, as often as it does, and nowhere else", () => {
  const parts = sourceParts({ title: "Trees", body: "Trees cool. Trees sing.", pages: [{ n: 12 }], empty: null });
  expect(parts.map(({ path }) => path)).toEqual(["title", "body", "pages.0.n"]);
  expect(literalPlaces(parts, "Trees")).toEqual([
    { path: "title", start: 0, end: 5 },
    { path: "body", start: 0, end: 5 },
    { path: "body", start: 12, end: 17 },
  ]);
  expect(literalPlaces(parts, 12)).toEqual([{ path: "pages.0.n", start: 0, end: 2 }]);
  for (const nowhere of ["trees", "", true, null, undefined]) expect(literalPlaces(parts, nowhere)).toEqual([]);
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
  Object.fromEntries(fieldRows(target, FIELDS, rules, null).map(({ name, standing }) => [name, standing]));

test("each field stands as the judge's one rule for it says", () => {
  expect(standings({ tone: "neutral" })).toEqual({ tone: "passes", link: "left_out" });
  expect(standings({ tone: "loud", link: "https://library.example.evil.example/pages" })).toEqual({ tone: "fails", link: "fails" });
  expect(standings({ link: "https://library.example/pages/a" })).toEqual({ tone: "fails", link: "passes" });
  expect(standings({ tone: "neutral", extra: "x" })).toMatchObject({ extra: "no_rule" });
  expect(standings({ tone: "neutral" }, [...RULES, ...RULES])).toMatchObject({ tone: "no_rule" });
});

test("a form that is not exactly what was asked for would not pass, whatever its fields say", () => {
  const objection = (target: Record<string, string>) => formObjection(target, FIELDS, fieldRows(target, FIELDS, RULES, null));
  expect(objection({ tone: "neutral" })).toBeNull();
  expect(objection({ tone: "neutral", extra: "x" })).toContain("Doesn't match the requested form");
  expect(objection({ tone: "loud" })).toContain("1 of 2 fields");
  expect(objection({})).toContain("Doesn't match");
});

test("every rule can be read", () => {
  expect(RULES.map(({ rule }) => ruleText(rule))).toEqual(["is “neutral”", "is a URL on https://library.example, at or below /pages"]);
  expect(ruleText({ type: "mail_domain", domains: ["a.example"] })).toBe("is an email address at exactly a.example");
});
