/** Text that others wrote, shown so that nothing in it stays unseen. */

/** Everything without a picture of its own, except line breaks and tabs: controls, bidi marks, tags, fillers, lone surrogates. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2028\u2029\ufff9-\ufffb]/gu;
const KEPT = new Set(["\n", "\t"]);

/** `a\u200Bb` becomes `a⟨U+200B⟩b`. */
export const visibleText = (text: string): string =>
  text.replaceAll(UNSEEN, (character) => {
    if (KEPT.has(character)) return character;
    const code = character.codePointAt(0) ?? 0;

    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
