/** Sanitizes text for models only; stored text stays exact. Removals repeat, since they join parts (`</da<b>ta>`); invisible characters go first, since they split words. */
import { isEmojiPart } from "./emoji";
import { foldCharacter, stripPhrases } from "./phrases";

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
// Matches control characters on purpose.
// oxlint-disable-next-line no-control-regex
const ANSI = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-_]?/gu;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/gu;
const MAX_PASSES = 8;

const withoutInvisible = (text: string): string =>
  text.replaceAll(INVISIBLE, (character, offset: number) => (isEmojiPart(text, offset) ? character : ""));

export const toReadable = (text: string): string =>
  withoutInvisible(text)
    .normalize("NFKC")
    .replaceAll(/\r\n?/gu, "\n")
    .replaceAll(ANSI, "")
    .replaceAll(CONTROL, "")
    .replaceAll(/\n{3,}/gu, "\n\n");

const pass = (text: string): string => stripPhrases(toReadable(text));

/** Look-alikes of `<` render as it, so they go too. */
const withoutMarkup = (text: string): string =>
  Array.from(text, (character) => (/[<[(]/u.test(foldCharacter(character)) ? "." : character)).join("");

const untilStable = (text: string, passes: number): string => {
  const next = pass(text);
  if (next === text) return text;

  // Deeper nesting loses all markup, so nothing can be joined.
  return passes > 0 ? untilStable(next, passes - 1) : untilStable(withoutMarkup(next), MAX_PASSES);
};

/** Sanitizes text, idempotently; lone surrogates become U+FFFD. */
export const sanitizeText = (text: string): string => untilStable(text.toWellFormed(), MAX_PASSES);
