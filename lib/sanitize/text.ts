/**
 * What a model is shown of text that others wrote. It shapes only that: what is stored and hashed stays byte-exact.
 *
 * The steps run to a fixed point, because taking one thing out can put another together (`</da<b>ta>`), and what is
 * invisible goes first, because it can split a word that a later step looks for.
 */
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
/** What could close our envelope or open another role. */
const DELIMITER =
  /<\s*[/!]?\s*(?:untrusted|trusted|system|assistant|user|human|developer|tool|tool_result|function|instructions?|memory)\b[^<>]*>|<\|[^<>|]{0,64}\|>|\[\/?INST\]|<<\/?SYS>>/giu;

/** More passes than any honest text needs; a text that still changes was built to. */
const MAX_PASSES = 8;

const withoutInvisible = (text: string): string =>
  text.replaceAll(INVISIBLE, (character, offset: number) => {
    KEPT.lastIndex = offset;

    return KEPT.test(text) ? character : "";
  });

const pass = (text: string): string =>
  withoutInvisible(text)
    .normalize("NFKC")
    .replaceAll(/\r\n?/gu, "\n")
    .replaceAll(ANSI, "")
    .replaceAll(CONTROL, "")
    .replaceAll(DELIMITER, "")
    .replaceAll(/\n{3,}/gu, "\n\n");

const untilStable = (text: string, passes: number): string => {
  const next = pass(text);
  if (next === text) return text;

  // Nesting deeper than the limit keeps its words but loses what makes them markup; then nothing can be put together.
  return passes > 0 ? untilStable(next, passes - 1) : untilStable(next.replaceAll("<", "\u2039").replaceAll("[", "("), MAX_PASSES);
};

/** Idempotent; emoji joiner sequences survive. Lone surrogates become U+FFFD. */
export const sanitizeText = (text: string): string => untilStable(text.toWellFormed(), MAX_PASSES);
