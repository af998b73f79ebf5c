/** Offsets between a text and how it is shown: a character that is not to be seen is shown as several that are. */
import { visibleText } from "@/components/runs/visible-text";

export type Span = { readonly start: number; readonly end: number };

export type Shown = {
  readonly text: string;
  /** Offsets in UTF-16 code units of the text itself. */ readonly original: (shown: Span) => Span;
};

/** @returns the text with nothing unseen in it, and which part of the text itself a part of that stands for */
export const shownText = (text: string): Shown => {
  const parts = Array.from(text, (character) => ({ character, shown: visibleText(character) }));
  const starts: { readonly shown: number; readonly original: number }[] = [];
  let shownAt = 0;
  let originalAt = 0;
  for (const part of parts) {
    starts.push({ shown: shownAt, original: originalAt });
    shownAt += part.shown.length;
    originalAt += part.character.length;
  }
  starts.push({ shown: shownAt, original: originalAt });

  return {
    text: parts.map(({ shown }) => shown).join(""),
    // A part of a replaced character is all of it.
    original: ({ start, end }) => ({
      start: starts.findLast((at) => at.shown <= start)?.original ?? 0,
      end: starts.find((at) => at.shown >= end)?.original ?? originalAt,
    }),
  };
};
