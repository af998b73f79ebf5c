import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayJson } from "./json-display";
import { toVisibleText } from "./visible-text";

describe("toVisibleText", () => {
  test.each([
    ["zero width space", "pay\u200Bpal", "pay⟨U+200B⟩pal"],
    ["right-to-left override", "\u202Egnp.exe", "⟨U+202E⟩gnp.exe"],
    ["tag characters", "ok\u{E0041}", "ok⟨U+E0041⟩"],
    ["an escape sequence", "\u001B[31mred", "⟨U+001B⟩[31mred"],
    ["line breaks and tabs", "a\n\tb", "a\n\tb"],
  ])("shows %s", (_, text, shown) => {
    expect(toVisibleText(text)).toBe(shown);
  });

  test("never contains invisible characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(toVisibleText(text)).not.toMatch(/[\p{Default_Ignorable_Code_Point}\p{Cs}]|(?![\n\t])\p{Cc}/u);
      }),
    );
  });
});

test("displayJson distinguishes a number from its text", () => {
  expect([displayJson(5), displayJson("5")]).toEqual(["5", '"5"']);
});
