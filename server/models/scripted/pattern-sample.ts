const MOST_REPEATS = 64;

/** A reader over the pattern; null stands for syntax that has no sample here. */
type Cursor = { at: number };

const ESCAPES: Readonly<Record<string, string>> = { d: "1", w: "a", s: " ", D: "a", W: "-", S: "a", n: "\n", t: "\t" };

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index));
/** Letters and digits look more like a value than punctuation. */
const BY_LOOK = [...Array.from("abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ"), ...PRINTABLE];

const quantifier = (pattern: string, cursor: Cursor): number => {
  const found = /^(?:(?<mark>[?*+])|\{(?<least>\d+)(?:,\d*)?\})\??/u.exec(pattern.slice(cursor.at));
  if (!found) return 1;
  cursor.at += found[0].length;
  const { mark, least } = found.groups ?? {};
  if (least !== undefined) return Math.min(Number(least), MOST_REPEATS);

  return mark === "+" ? 1 : 0;
};

const sampleClass = (pattern: string, cursor: Cursor): string | null => {
  const end = /^\[\^?(?:\\.|[^\]\\])*\]/u.exec(pattern.slice(cursor.at))?.[0];
  if (end === undefined) return null;
  cursor.at += end.length;
  try {
    // A class alone matches one character, so it cannot take long.
    const isIn = new RegExp(`^${end}$`, "u");

    return BY_LOOK.find((character) => isIn.test(character)) ?? null;
  } catch {
    return null;
  }
};

const sampleGroup = (pattern: string, cursor: Cursor): string | null => {
  const opening = /^\((?:\?:|\?<[A-Za-z]\w*>)?/u.exec(pattern.slice(cursor.at))?.[0] ?? "(";
  // Look-around has no sample of its own.
  if (pattern.slice(cursor.at + opening.length).startsWith("?")) return null;
  cursor.at += opening.length;
  const inner = sampleUntil(pattern, cursor, ")");
  if (inner === null || pattern[cursor.at] !== ")") return null;
  cursor.at += 1;

  return inner;
};

const sampleEscape = (pattern: string, cursor: Cursor): string | null => {
  const letter = pattern[cursor.at + 1];
  cursor.at += 2;
  if (letter === undefined || /[1-9bBpPkuxc]/u.test(letter)) return null;

  return ESCAPES[letter] ?? letter;
};

const samplePart = (pattern: string, cursor: Cursor): string | null => {
  const character = pattern[cursor.at] ?? "";
  if (character === "[") return sampleClass(pattern, cursor);
  if (character === "(") return sampleGroup(pattern, cursor);
  if (character === "\\") return sampleEscape(pattern, cursor);
  cursor.at += 1;
  if (character === "^" || character === "$") return "";

  return character === "." ? "a" : character;
};

/** Samples the first alternative and skips the others. */
const sampleUntil = (pattern: string, cursor: Cursor, end: string): string | null => {
  let sample = "";
  let first: string | null = null;
  while (cursor.at < pattern.length && pattern[cursor.at] !== end) {
    if (pattern[cursor.at] === "|") {
      first ??= sample;
      cursor.at += 1;
      continue;
    }
    const part = samplePart(pattern, cursor);
    if (part === null) return null;
    sample += part.repeat(quantifier(pattern, cursor));
  }

  return first ?? sample;
};

/** Returns a text meant to match the pattern; null for syntax without a sample. Callers check it. */
export const samplePattern = (pattern: string): string | null => sampleUntil(pattern, { at: 0 }, "");
