/** Apparent credentials in text; finding none is no proof. */
import { ASSIGNED, IN_ADDRESS, ON_COMMAND_LINE, SECRET_NAME, SECRET_RULES, SENT } from "./rules";

export type FoundSecret = {
  /** Such as "GitHub token". */
  readonly what: string;
  /** UTF-16 offset; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
};

/** Returns a placeholder legal as id, path and expression. */
export const getLeftOutName = (index: number): string => `secret_left_out_${index}`;
const LEFT_OUT = /secret_left_out_[0-9]+/;

/** Shannon, bits per character. */
const entropyOf = (text: string): number => {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const total = text.length;

  return [...counts.values()].reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
};

const MIN_ENTROPY = 2.5;
/** `${TOKEN}`, `{{token}}`, `$TOKEN`, `<token>`, `memory.token`, a path, a type. */
const REFERENCE =
  /^(?:[%<{[(*]|\$(?:[{(.]|[a-z_]\w*\}?$)|\.{0,2}\/)|[<>{}]|\*{3}|\.{3}|^(?:process|env|os|memory|this|self|config|secrets?|var|vars|local|params|args|request|req|settings)\b[.[]|^https?:/i;
const WORDS_ONLY = /^[A-Za-z]+(?:[._-][A-Za-z]+)*[.!?:]?$/;

const isCredential = (value: string): boolean =>
  !LEFT_OUT.test(value) && !REFERENCE.test(value) && !WORDS_ONLY.test(value) && /[0-9]/.test(value) && entropyOf(value) >= MIN_ENTROPY;

/** Both cases plus other characters. */
const isPassword = (value: string): boolean =>
  !LEFT_OUT.test(value) &&
  !REFERENCE.test(value) &&
  [/[a-z]/, /[A-Z]/, /[^\w\s.,:;'"()/-]/].every((pattern) => pattern.test(value)) &&
  entropyOf(value) >= MIN_ENTROPY;

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

const MIN_LENGTH = 8;
/** Cheap precheck; most graph texts fail it. */
const HAS_MARK = /[0-9]|hf_|api_org_|PRIVATE KEY|xox[a-z]/;
const HAS_TOKEN =
  /-----BEGIN|AGE-SECRET|AKIA|ASIA|ABIA|ACCA|A3T|ABSK|bedrock-api|sk-|[spr]k_|"sk_|AIza|ya29|ops_eyJ|A3-|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|GR1348941|xox[a-z]|xapp-|slack\.com|hf_|api_org_|hv[sbr]\.|s\.[A-Za-z0-9]{24}|atlasv1|npm_|pypi-|do[opr]_v1|SG\.|shp|sq0|EAA|(?:\||%7C)|glc_|glsa_|HRKU-|ntn_|secret_|API-|sha256~|pplx-|sntry|sgp_|dapi|fo1_|fm[12]|s-s4t2|v1\.0-|4b1d|ico-|_mmk|tk-us-|ATATT3|Q~|lin_api_|pul-|eyJ|ZXlK/i;
const HAS_WORD = /secret|token|passw|pwd|passphrase|credential|[a-z ._-]key|authorization|cookie|login|user_auth|bearer|curl|:\/\//i;

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

/** Reports the whole run. */
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

const SCHEME = /^(?:basic|bearer|token|apikey|digest)\s+/i;

/** Drafts are scanned on every change. */
const seen = new Map<string, readonly FoundSecret[]>();
const MAX_SEEN = 20_000;

/** Finds secrets in order. @param name of the member: any `password` counts */
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
