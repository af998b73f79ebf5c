/** Text that looks like a credential: found for a warning, and so that it never leaves in a file. Not proof that a text holds none. */
import { ASSIGNED, IN_ADDRESS, ON_COMMAND_LINE, SECRET_NAME, SECRET_RULES, SENT } from "./rules";

export type FoundSecret = {
  /** What it looks like, such as "GitHub token". */
  readonly what: string;
  /** Of the text, in UTF-16 units; `end` is past it. */
  readonly start: number;
  readonly end: number;
};

/** What stands in an export where a secret was. It is a legal id, path and expression, so that what was whole stays whole. */
export const leftOutName = (index: number): string => `secret_left_out_${index}`;
const LEFT_OUT = /secret_left_out_[0-9]+/;

/** Shannon's, in bits for each character. */
const entropyOf = (text: string): number => {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const total = text.length;

  return [...counts.values()].reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
};

const MIN_ENTROPY = 2.5;
/** A reference to where the value really is: `${TOKEN}`, `{{token}}`, `$TOKEN`, `<token>`, `memory.token`, a path, a type. */
const REFERENCE =
  /^(?:[%<{[(*]|\$(?:[{(.]|[a-z_]\w*\}?$)|\.{0,2}\/)|[<>{}]|\*{3}|\.{3}|^(?:process|env|os|memory|this|self|config|secrets?|var|vars|local|params|args|request|req|settings)\b[.[]|^https?:/i;
const WORDS_ONLY = /^[A-Za-z]+(?:[._-][A-Za-z]+)*[.!?:]?$/;

/** Whether a value that is said to be a credential is one, and not a name of one or a word about it. */
const isCredential = (value: string): boolean =>
  !LEFT_OUT.test(value) && !REFERENCE.test(value) && !WORDS_ONLY.test(value) && /[0-9]/.test(value) && entropyOf(value) >= MIN_ENTROPY;

/** Whether a text that a member named as a secret holds is one although it has no digit: letters of both cases, and others. */
const isPassword = (value: string): boolean =>
  !LEFT_OUT.test(value) &&
  !REFERENCE.test(value) &&
  [/[a-z]/, /[A-Z]/, /[^\w\s.,:;'"()/-]/].every((pattern) => pattern.test(value)) &&
  entropyOf(value) >= MIN_ENTROPY;

/** A form that says by itself what it is has to have no more than a few different characters. */
const MIN_TOKEN_ENTROPY = 1.5;

const isToken = (text: string, needsDigit: boolean): boolean => (!needsDigit || /[0-9]/.test(text)) && entropyOf(text) >= MIN_TOKEN_ENTROPY;

const valuesOf = (text: string, pattern: RegExp, what: string): FoundSecret[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const value = match[1] ?? "";
    const start = match.index + match[0].lastIndexOf(value);

    return isCredential(value) ? [{ what, start, end: start + value.length }] : [];
  });

const tokensOf = (text: string): FoundSecret[] =>
  SECRET_RULES.flatMap(({ name, pattern, needsDigit }) =>
    [...text.matchAll(pattern)].flatMap((match) =>
      isToken(match[0], needsDigit === true) ? [{ what: name, start: match.index, end: match.index + match[0].length }] : [],
    ),
  );

/** In order, none over another: of two that overlap the first, widened. */
const merged = (found: readonly FoundSecret[]): FoundSecret[] => {
  const inOrder = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const kept: FoundSecret[] = [];
  for (const one of inOrder) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
    else if (one.end > last.end) kept[kept.length - 1] = { ...last, end: one.end };
  }

  return kept;
};

/** No credential is shorter. */
const MIN_LENGTH = 8;
/** What every form has at least: most texts of a graph have none of it and are not looked at any closer. */
const HAS_MARK = /[0-9]|hf_|api_org_|PRIVATE KEY|xox[a-z]/;
const HAS_TOKEN =
  /-----BEGIN|AGE-SECRET|AKIA|ASIA|ABIA|ACCA|A3T|ABSK|bedrock-api|sk-|[spr]k_|"sk_|AIza|ya29|ops_eyJ|A3-|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|GR1348941|xox[a-z]|xapp-|slack\.com|hf_|api_org_|hv[sbr]\.|s\.[A-Za-z0-9]{24}|atlasv1|npm_|pypi-|do[opr]_v1|SG\.|shp|sq0|EAA|(?:\||%7C)|glc_|glsa_|HRKU-|ntn_|secret_|API-|sha256~|pplx-|sntry|sgp_|dapi|fo1_|fm[12]|s-s4t2|v1\.0-|4b1d|ico-|_mmk|tk-us-|ATATT3|Q~|lin_api_|pul-|eyJ|ZXlK/i;
const HAS_WORD = /secret|token|passw|pwd|passphrase|credential|[a-z ._-]key|authorization|cookie|login|user_auth|bearer|curl|:\/\//i;

/** As it is written, in no other encoding. */
const lookPlain = (text: string): readonly FoundSecret[] => {
  if (!HAS_MARK.test(text)) return [];
  const isSaid = HAS_WORD.test(text);
  const tokens = HAS_TOKEN.test(text) ? tokensOf(text) : [];

  return isSaid
    ? merged([
        ...tokens,
        ...valuesOf(text, IN_ADDRESS, "password in an address"),
        ...valuesOf(text, ON_COMMAND_LINE, "password"),
        ...valuesOf(text, SENT, "credential"),
        ...valuesOf(text, ASSIGNED, "credential"),
      ])
    : merged(tokens);
};

const BASE64 = /(?<![\w+/=-])[\w+/-]{24,20000}={0,2}/g;
const IN_ONE = /[^\s"'<>]{8,20000}/g;
const PERCENTS = /(?:%[0-9a-f]{2})+/gi;

/** What a run in Base64 says, when that is a text; else "". */
const fromBase64 = (run: string): string => {
  try {
    const text = atob(run.replaceAll("-", "+").replaceAll("_", "/"));

    return /^[\t\n\r\x20-\x7E]*$/.test(text) ? text : "";
  } catch {
    return "";
  }
};

const fromPercents = (run: string): string =>
  run.replaceAll(PERCENTS, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });

/** A run that says a secret in another encoding goes whole. */
const encoded = (text: string, pattern: RegExp, decode: (run: string) => string): FoundSecret[] =>
  [...text.matchAll(pattern)].flatMap(({ 0: run, index }) => {
    const plain = decode(run);
    const [first] = plain === run || plain === "" ? [] : lookPlain(plain);

    return first ? [{ what: first.what, start: index, end: index + run.length }] : [];
  });

const look = (text: string): readonly FoundSecret[] => {
  if (!HAS_MARK.test(text)) return [];

  return merged([
    ...lookPlain(text),
    ...encoded(text, BASE64, fromBase64),
    ...(text.includes("%") ? encoded(text, IN_ONE, fromPercents) : []),
  ]);
};

/** How a credential is sent, before it. */
const SCHEME = /^(?:basic|bearer|token|apikey|digest)\s+/i;

/** A draft is looked at after every change, and nearly all of its texts are the same as before. */
const seen = new Map<string, readonly FoundSecret[]>();
const MAX_SEEN = 20_000;

/**
 * @param name of the member that holds the text: a `password` is one whatever it looks like
 * @returns where secrets stand, in order, none over another
 */
export const findSecrets = (text: string, name = ""): readonly FoundSecret[] => {
  if (text.length < MIN_LENGTH) return [];
  if (SECRET_NAME.test(name)) {
    const value = text.trim().replace(SCHEME, "");
    const start = text.lastIndexOf(value);
    if (!/\s/.test(value) && (isCredential(value) || isPassword(value))) return [{ what: "credential", start, end: start + value.length }];
  }
  const known = seen.get(text);
  if (known) return known;
  const found = look(text);
  if (seen.size >= MAX_SEEN) seen.clear();
  seen.set(text, found);

  return found;
};
