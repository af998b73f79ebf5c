import { describe, expect, test } from "vitest";
import type { Place } from "@/lib/leaves";
import { placeText } from "./place-text";

describe("placeText", () => {
  test.each([
    [[], ""],
    [["a", "b"], "a.b"],
    [["items", 0, "to"], "items[0].to"],
    [["a.b", "c d"], '["a.b"]["c d"]'],
    [["to\u200b"], '["to⟨U+200B⟩"]'],
    [["\u202eeman"], '["⟨U+202E⟩eman"]'],
  ] satisfies [Place, string][])("%j is %s", (place, text) => {
    expect(placeText(place)).toBe(text);
  });
});
