/** Shows invisible characters of untrusted text. */
import { UNSEEN } from "@/lib/visible-name";

const ALL_UNSEEN = new RegExp(UNSEEN.source, "gu");
const KEPT = new Set(["\n", "\t"]);

/** `a\u200Bb` becomes `a⟨U+200B⟩b`. */
export const toVisibleText = (text: string): string =>
  text.replaceAll(ALL_UNSEEN, (character) => {
    if (KEPT.has(character)) return character;
    const code = character.codePointAt(0) ?? 0;

    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
