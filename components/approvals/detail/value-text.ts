/** Renders values with invisible characters written out. */
import { displayJson } from "@/components/values/json-display";
import type { Json } from "@/lib/json";

const LONG_CHARACTERS = 280;
const LONG_LINES = 8;
const PREVIEW_CHARACTERS = 180;
const WRITTEN_OUT = /⟨U\+[0-9A-F]{4,6}⟩/gu;

export type ValueText = {
  readonly text: string;
  /** Cut at whole characters; null: short enough to show whole. */
  readonly preview: string | null;
  readonly characters: number;
  readonly unseen: number;
};

const countOf = (text: string): number => (text.match(WRITTEN_OUT) ?? []).length;

export const formatValue = (value: Json): ValueText => {
  const text = displayJson(value);
  const letters = Array.from(text);
  const plain = typeof value === "string" ? value : JSON.stringify(value);
  const isLong = letters.length > LONG_CHARACTERS || text.split("\n").length > LONG_LINES;
  const start = letters.slice(0, PREVIEW_CHARACTERS).join("").split("\n").slice(0, 3).join("\n");

  return {
    text,
    preview: isLong ? `${start}…` : null,
    characters: typeof value === "string" ? Array.from(value).length : letters.length,
    // A literal ⟨U+…⟩ in the value is visible text.
    unseen: countOf(text) - countOf(plain),
  };
};
