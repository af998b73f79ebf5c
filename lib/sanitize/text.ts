/**
 * What a model is shown of text that others wrote. It shapes only that: what is stored and hashed stays byte-exact.
 *
 * The steps run to a fixed point, because taking one thing out can put another together (`</da<b>ta>`), and what is
 * invisible goes first, because it can split a word that a later step looks for. Letters are never rewritten into those
 * they resemble: a text stays readable in its own script, look-alikes only count when phrases are looked for.
 */
import { foldCharacter, withoutPhrases } from "./phrases";

const EMOJI_TAIL = String.raw`(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})`;

/** A joiner inside an emoji sequence, or one presentation selector right after its base. */
const KEPT = new RegExp(
  String.raw`(?<=${EMOJI_TAIL}\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic}|[0-9#*])[\ufe0e\ufe0f]`,
  "uy",
);

/** Zero width, soft hyphen, bidi controls, tag characters, variation selectors, fillers, annotations. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
// The control characters are the very thing that is looked for.
// oxlint-disable-next-line no-control-regex
const ANSI = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-_]?/gu;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/gu;
/** More passes than any honest text needs; a text that still changes was built to. */
const MAX_PASSES = 8;

const withoutInvisible = (text: string): string =>
  text.replaceAll(INVISIBLE, (character, offset: number) => {
    KEPT.lastIndex = offset;

    return KEPT.test(text) ? character : "";
  });

const readable = (text: string): string =>
  withoutInvisible(text)
    .normalize("NFKC")
    .replaceAll(/\r\n?/gu, "\n")
    .replaceAll(ANSI, "")
    .replaceAll(CONTROL, "")
    .replaceAll(/\n{3,}/gu, "\n\n");

const pass = (text: string): string => withoutPhrases(readable(text));

/** Whatever looks like the beginning of a delimiter; look-alikes of `<` are drawn as it, so none of them may stay. */
const withoutMarkup = (text: string): string =>
  Array.from(text, (character) => (/[<[(]/u.test(foldCharacter(character)) ? "." : character)).join("");

const untilStable = (text: string, passes: number): string => {
  const next = pass(text);
  if (next === text) return text;

  // Nesting deeper than the limit keeps its words but loses what makes them markup; then nothing can be put together.
  return passes > 0 ? untilStable(next, passes - 1) : untilStable(withoutMarkup(next), MAX_PASSES);
};

/** Idempotent; emoji joiner sequences survive. Lone surrogates become U+FFFD. */
export const sanitizeText = (text: string): string => untilStable(text.toWellFormed(), MAX_PASSES);
