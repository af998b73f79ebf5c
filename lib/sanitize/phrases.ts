/** Removes phrases that close our envelope, open a role or countermand the task. */
import { toSkeleton } from "./skeleton";

/** Letters, so removal never joins parts to a new phrase. */
const REMOVED = "(removed)";

type Span = { readonly start: number; readonly end: number; readonly replacement: string };

/** One of `i`, `I`, `l`, `1`; no case or accents. */
const foldedAnew = (character: string): string => {
  const prototype = toSkeleton(character);
  // Read as l, a bar would make a control token of `<label>`.
  if (prototype === "l" && /[\p{P}\p{S}\u01c0]/u.test(character)) return "|";

  return toSkeleton(prototype.toLowerCase()).replaceAll(/\p{M}/gu, "").replaceAll("i", "l");
};

const cache = new Map<string, string>();
const MAX_CACHED = 10_000;

export const foldCharacter = (character: string): string => {
  const known = cache.get(character);
  if (known !== undefined) return known;
  const folded = foldedAnew(character);
  if (cache.size < MAX_CACHED) cache.set(character, folded);

  return folded;
};

type Folded = { readonly text: string; readonly origins: readonly { readonly start: number; readonly end: number }[] };

const fold = (text: string): Folded => {
  const parts: string[] = [];
  const origins: { start: number; end: number }[] = [];
  let start = 0;
  for (const character of text) {
    const folded = foldCharacter(character);
    const origin = { start, end: start + character.length };
    parts.push(folded);
    for (let unit = 0; unit < folded.length; unit += 1) origins.push(origin);
    start = origin.end;
  }

  return { text: parts.join(""), origins };
};

/** Bars match l; longer words precede their prefixes. */
const anyOf = (...words: readonly string[]): string => `(?:${words.map((word) => fold(word).text.replaceAll("l", "[l|]")).join("|")})`;

const END = String.raw`(?![\p{L}\p{N}])`;
/** The prolonged sound mark is the skeleton of a dash. */
const GAP = String.raw`[\s\p{P}\p{S}\u30fc]{1,8}`;
const TAGS = anyOf(
  "untrusted",
  "trusted",
  "system",
  "assistant",
  "user",
  "human",
  "developer",
  "tool",
  "tool_result",
  "function",
  "instruction",
  "instructions",
  "memory",
  "start_of_turn",
  "end_of_turn",
);
const EARLIER = `(?:${GAP}${anyOf("all", "any", "of", "the", "these", "those", "your", "my")}){0,5}${GAP}${anyOf("previous", "prior", "earlier", "above", "preceding")}`;
const ORDERS = anyOf("instructions", "instruction", "prompts", "prompt", "rules", "rule", "directions", "guidelines", "commands", "orders");

const TAG = String.raw`<\s*(?:[/!]\s*)?${TAGS}${END}[^<>]*>`;
const TOKENS = [String.raw`<\|[^<>|]{0,64}\|>`, String.raw`[[(]\/?${anyOf("inst")}[\])]`, String.raw`<<\/?${anyOf("sys")}>>`];
const HEADINGS = [
  String.raw`(?<=^|\n)[ \t]*(?:#{1,6}[ \t]*)?${anyOf("system", "assistant", "human")}\s{0,8}:`,
  String.raw`(?<=^|\n)[ \t]*#{1,6}[ \t]*${anyOf("instruction", "instructions")}\s{0,8}:`,
];
const COUNTERMANDS = [
  `${anyOf("ignore", "forget", "override", "bypass")}${EARLIER}(?:${GAP}${anyOf("system")})?${GAP}${ORDERS}`,
  `${anyOf("disregard")}${EARLIER}(?:${GAP}${ORDERS})?`,
];

type Filter = { readonly pattern: RegExp; readonly replacement: string };

const toFilters = (sources: readonly string[], replacement: string): readonly Filter[] =>
  sources.map((source) => ({ pattern: new RegExp(source, "gu"), replacement }));

const FILTERS = [...toFilters([TAG, ...TOKENS], ""), ...toFilters([...HEADINGS, ...COUNTERMANDS], REMOVED)];

/** Honest prompts have headings and tags. */
const PROMPT_FILTERS = toFilters([String.raw`<\s*/\s*${anyOf("untrusted")}${END}[^<>]*>`, ...TOKENS, ...COUNTERMANDS], "");

const spelledOut = (text: string, filters: readonly Filter[] = FILTERS): Span[] => {
  const folded = fold(text);

  return filters.flatMap(({ pattern, replacement }) =>
    Array.from(folded.text.matchAll(pattern), ({ index, 0: match }) => ({
      start: folded.origins[index]?.start ?? 0,
      end: folded.origins[index + match.length - 1]?.end ?? text.length,
      replacement,
    })),
  );
};

const BASE64 = /[A-Za-z0-9+/_-]{20,}(?:\n[A-Za-z0-9+/_-]{20,})*(?:\n[A-Za-z0-9+/_-]+)?={0,2}/gu;

const decoded = (digits: string): string => {
  const usable = digits.slice(0, digits.length % 4 === 1 ? -1 : undefined);
  const bytes = Uint8Array.from(atob(usable), (byte) => byte.codePointAt(0) ?? 0);

  // UTF-16 text has a zero beside each ASCII letter.
  return new TextDecoder().decode(bytes).replaceAll("\0", "").normalize("NFKC");
};

/** Base64 may begin anywhere, so four alignments are decoded. */
const hidesPhrase = (run: string): boolean => {
  const digits = run.replaceAll(/[\n=]/gu, "").replaceAll("-", "+").replaceAll("_", "/");

  return [0, 1, 2, 3].some((skipped) => spelledOut(decoded(digits.slice(skipped))).length > 0);
};

const encoded = (text: string): Span[] =>
  [...text.matchAll(BASE64)]
    .filter(({ 0: run }) => hidesPhrase(run))
    .map(({ index, 0: run }) => ({ start: index, end: index + run.length, replacement: REMOVED }));

const findSpans = (text: string, filters?: readonly Filter[]): Span[] =>
  [...spelledOut(text, filters), ...encoded(text)].toSorted((one, other) => one.start - other.start);

export const findPhrase = (text: string, isPrompt: boolean): Span | null =>
  findSpans(text, isPrompt ? PROMPT_FILTERS : undefined)[0] ?? null;

/** Removes phrases once; removal can join parts. */
export const stripPhrases = (text: string): string => {
  const spans = findSpans(text);
  const kept: string[] = [];
  let position = 0;
  for (const span of spans) {
    if (span.start < position) continue;
    kept.push(text.slice(position, span.start), span.replacement);
    position = span.end;
  }

  return [...kept, text.slice(position)].join("");
};
