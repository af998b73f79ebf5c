/** A value as it is written on the page: as text, with everything in it that has no picture of its own written out. */
import { displayJson } from "@/components/runs/json-display";
import type { Json } from "@/lib/json";

const LONG_CHARACTERS = 280;
const LONG_LINES = 8;
const PREVIEW_CHARACTERS = 180;
const WRITTEN_OUT = /⟨U\+[0-9A-F]{4,6}⟩/gu;

export type ValueText = {
  /** All of it. */
  readonly text: string;
  /** Its beginning, by whole characters, when all of it would push everything else away. */
  readonly preview: string | null;
  readonly characters: number;
  /** Characters that nobody would see if they were not written out. */
  readonly unseen: number;
};

const countOf = (text: string): number => (text.match(WRITTEN_OUT) ?? []).length;

export const valueText = (value: Json): ValueText => {
  const text = displayJson(value);
  const letters = Array.from(text);
  const plain = typeof value === "string" ? value : JSON.stringify(value);
  const isLong = letters.length > LONG_CHARACTERS || text.split("\n").length > LONG_LINES;
  const start = letters.slice(0, PREVIEW_CHARACTERS).join("").split("\n").slice(0, 3).join("\n");

  return {
    text,
    preview: isLong ? `${start}…` : null,
    characters: typeof value === "string" ? Array.from(value).length : letters.length,
    // What already looks like one of ours was typed, and is seen.
    unseen: countOf(text) - countOf(plain),
  };
};
