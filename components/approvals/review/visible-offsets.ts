import { toVisibleText } from "@/components/values/visible-text";

export type Span = { readonly start: number; readonly end: number };

export type Shown = {
  readonly text: string;
  /** Original UTF-16 code units. */ readonly original: (shown: Span) => Span;
};

/** @returns the display text and its span mapping */
export const toShownText = (text: string): Shown => {
  const parts = Array.from(text, (character) => ({ character, shown: toVisibleText(character) }));
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
    // Part of a written-out character counts as all of it.
    original: ({ start, end }) => ({
      start: starts.findLast((at) => at.shown <= start)?.original ?? 0,
      end: starts.find((at) => at.shown >= end)?.original ?? originalAt,
    }),
  };
};
