import { toVisibleText, UNSEEN } from "@/lib/visible-name";
import { isEmojiPart } from "./emoji";

const ALL_UNSEEN = new RegExp(UNSEEN.source, "gu");
const LAYOUT = /[\n\r\t]/u;
/** Some spellings need joiners between letters. */
const JOINING = String.raw`[\p{L}\p{M}]`;
const WESTERN = String.raw`[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Zinh}]`;
const JOINER = new RegExp(`(?<=${JOINING})(?<!${WESTERN})[\\u200c\\u200d](?=${JOINING})(?!${WESTERN})`, "uy");

const isJoiner = (text: string, offset: number): boolean => {
  JOINER.lastIndex = offset;

  return JOINER.test(text);
};

const isHidden = (text: string, character: string, offset: number): boolean =>
  !LAYOUT.test(character) && !isEmojiPart(text, offset) && !isJoiner(text, offset);

const listHidden = (text: string): readonly { readonly index: number; readonly character: string }[] =>
  Array.from(text.matchAll(ALL_UNSEEN), ({ index, 0: character }) => ({ index, character })).filter(({ index, character }) =>
    isHidden(text, character, index),
  );

export const removeHidden = (text: string): string =>
  text.replaceAll(ALL_UNSEEN, (character, offset: number) => (isHidden(text, character, offset) ? "" : character));

const AROUND = 24;
const MOST_DRAWN = 8;
const TAGS = { first: 0xe0020, last: 0xe007e, offset: 0xe0000 };

/** Tag characters mirror ASCII. */
const decodeTags = (characters: readonly string[]): string =>
  characters
    .map((character) => character.codePointAt(0) ?? 0)
    .filter((code) => code >= TAGS.first && code <= TAGS.last)
    .map((code) => String.fromCodePoint(code - TAGS.offset))
    .join("");

export const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ");

const drawExcerpt = (text: string, start: number, end: number): string => {
  const drawn = Array.from(text.slice(start, end));
  const middle = toVisibleText(drawn.slice(0, MOST_DRAWN).join("")) + (drawn.length > MOST_DRAWN ? "…" : "");
  const [before, after] = [text.slice(Math.max(0, start - AROUND), start), text.slice(end, end + AROUND)];

  return oneLine(`${toVisibleText(before.toWellFormed())}${middle}${toVisibleText(after.toWellFormed())}`);
};

const PRINTABLE = /^[\n\r\t -~]*$/u;

export type Describe = (text: string) => string | null;

/** Draws hidden characters as code points; null without any. */
export const describeHidden: Describe = (text) => {
  if (PRINTABLE.test(text)) return null;
  const found = listHidden(text);
  const [first] = found;
  if (!first) return null;
  const last = found.find(({ index, character }, at) => found[at + 1]?.index !== index + character.length) ?? first;
  const tags = decodeTags(found.map(({ character }) => character));
  const spelled = tags === "" ? "" : ` They spell “${toVisibleText(tags.slice(0, 2 * AROUND))}”.`;

  return `${found.length} hidden ${found.length === 1 ? "character" : "characters"}: “${drawExcerpt(text, first.index, last.index + last.character.length)}”.${spelled}`;
};
