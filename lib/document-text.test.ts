import { assert, jsonValue, property, string } from "fast-check";
import { expect, test } from "vitest";
import { toPlainJson } from "@/lib/json";
import { readDocumentText } from "./document-text";

const refused = (text: string) => {
  const read = readDocumentText(text);

  return read.ok ? null : read.error;
};

test("reads JSON like JSON.parse", () => {
  assert(
    property(jsonValue({ stringUnit: "binary" }), (value) => {
      const text = JSON.stringify(value);
      const plain = toPlainJson(JSON.parse(text), { maxBytes: 1_000_000, maxDepth: 64 });
      const read = readDocumentText(text);
      const expected = plain.ok && !text.includes(String.raw`\u0000`) ? plain.value : null;
      expect(read.ok ? read.value.value : null).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test("never throws", () => {
  assert(
    property(string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(typeof readDocumentText(text).ok).toBe("boolean");
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["a member twice in JSON", '{"a": 1,\n "\\u0061": 2}', 'The property "a" appears twice.', { line: 2, column: 2 }],
  ["a member twice in YAML", "a: 1\nb: 2\na: 3", 'The property "a" appears twice.', { line: 3, column: 1 }],
  ["a name of a prototype", "a:\n  __proto__: {admin: true}", "A property must not be called __proto__.", { line: 2, column: 3 }],
  [
    "a name of a prototype in JSON",
    '{"constructor": {"prototype": 1}}',
    "A property must not be called constructor.",
    { line: 1, column: 2 },
  ],
  ["a tag", "a: !!js/function 'x'", "Tags are not read.", { line: 1, column: 18 }],
  ["binary", "a: !!binary aGk=", "Tags are not read.", { line: 1, column: 13 }],
  ["two documents", "a: 1\n---\nb: 2", "There is a second document.", { line: 2, column: 1 }],
  ["another YAML", "%YAML 1.1\n---\na: yes", "Only YAML 1.2 is read.", { line: 1, column: 1 }],
  ["a number that no double holds", '{"n": 9007199254740993}', "This number has more digits than can be kept.", { line: 1, column: 7 }],
  ["a number that is too large", "n: 1e999", "This number is too large.", { line: 1, column: 4 }],
  ["infinity", "n: .inf", "This number is too large.", { line: 1, column: 4 }],
  ["half of a character", String.raw`{"a": "\ud800"}`, "This text has half of a character.", { line: 1, column: 7 }],
  ["U+0000", String.raw`{"a": "\u0000"}`, "This text has the character U+0000.", { line: 1, column: 7 }],
  ["a list as a name", "? [a]\n: b", "A property name must be a string.", { line: 1, column: 1 }],
  ["an alias of its own parent", "a: &a\n  b: *a", "*a names nothing that stands before it.", { line: 2, column: 6 }],
  ["an alias of nothing", "a: *b", "*b names nothing that stands before it.", { line: 1, column: 4 }],
  ["a name of nothing", "? \n: b", "A property has no name.", { line: 1, column: 1 }],
  [
    "a list without its end",
    "a: [1,\nb: 2",
    "Flow sequence in block collection must be sufficiently indented and end with a ].",
    { line: 2, column: 1 },
  ],
  ["no document", "# nothing", "There is nothing in it.", null],
])("refuses %s", (_, text, message, place) => {
  const fault = refused(text);

  expect(fault?.message).toBe(message);
  expect(fault?.place).toEqual(place);
});

test("expands an alias, and refuses an alias bomb as too large", () => {
  const read = readDocumentText("a: &x {k: [1, 2]}\nb: *x");
  expect(read.ok && read.value.value).toEqual({ a: { k: [1, 2] }, b: { k: [1, 2] } });

  const levels = Array.from(
    { length: 30 },
    (_, level) => `l${level}: &l${level} [${level === 0 ? "x" : `*l${level - 1}, *l${level - 1}`}]`,
  );
  expect(refused(levels.join("\n"))).toEqual({ message: "This is too large.", place: { line: 19, column: 12 } });
});

test.each(["[", '{"a":', "- ", "? ", "a: {"])("refuses endless nesting: %j", (opening) => {
  expect(refused(opening.repeat(20_000))?.message).toBe("The document is nested too deeply.");
});

test("limits depth where text is deeper than a document may be", () => {
  expect(refused(`${"[".repeat(64)}1${"]".repeat(64)}`)).toBeNull();
  expect(refused(`${"[".repeat(65)}1${"]".repeat(65)}`)).toEqual({
    message: "The document is nested too deeply.",
    place: { line: 1, column: 66 },
  });
});

test("finds a place by path, or the nearest ancestor's", () => {
  const read = readDocumentText('{\n  "nodes": [\n    {"id": "a"},\n    {"id": 7}\n  ]\n}');

  expect(read.ok && read.value.placeOf(["nodes", 1, "id"])).toEqual({ line: 4, column: 12 });
  expect(read.ok && read.value.placeOf(["nodes", 1, "kind"])).toEqual({ line: 4, column: 5 });
});
