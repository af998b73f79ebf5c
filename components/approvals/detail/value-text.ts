/** Renders values with invisible characters written out. */
import { displayJson } from "@/components/values/json-display";
import type { Json } from "@/lib/json";

const PREVIEW_CHARACTERS = 180;
const PREVIEW_LINES = 3;
const WRITTEN_OUT = /⟨U\+[0-9A-F]{4,6}⟩/gu;

export type ValueText = {
  readonly text: string;
  /** Cut at whole characters. */
  readonly preview: string;
  readonly characters: number;
  readonly unseen: number;
};

const countOf = (text: string): number => (text.match(WRITTEN_OUT) ?? []).length;

export const formatValue = (value: Json): ValueText => {
  const text = displayJson(value);
  const letters = Array.from(text);
  const plain = typeof value === "string" ? value : JSON.stringify(value);
  const start = letters.slice(0, PREVIEW_CHARACTERS).join("").split("\n").slice(0, PREVIEW_LINES).join("\n");

  return {
    text,
    preview: `${start}…`,
    characters: typeof value === "string" ? Array.from(value).length : letters.length,
    // A literal ⟨U+…⟩ in the value is visible text.
    unseen: countOf(text) - countOf(plain),
  };
};
