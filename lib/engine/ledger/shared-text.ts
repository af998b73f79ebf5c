/** Finds repeated texts. */
import { toCanonicalJson, type Json } from "@/lib/json";
import { listLeaves } from "@/lib/leaves";

/** Texts sharing this many characters share an aligned window of half that. */
const WINDOW = 16;
/** Shorter texts occur in too many values. */
const LEAST = 8;
const MOST_WHOLE = 500;

const ESCAPES = /\\(?:u([0-9a-fA-F]{4})|([nrtbf])|(["\\/]))/gu;

/** Nested texts lose their JSON escapes. */
const plainText = (text: string): string =>
  text
    .replaceAll(ESCAPES, (_all, code: string | undefined, _space: string | undefined, kept: string | undefined) =>
      code === undefined ? (kept ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/gu, "");

const textsOf = (value: Json): string[] => {
  const leaves = listLeaves(value).flatMap((leaf) => (typeof leaf.value === "string" ? [plainText(leaf.value)] : []));

  return typeof value === "object" && value !== null ? [...leaves, plainText(toCanonicalJson(value))] : leaves;
};

const windowsOf = (texts: readonly string[]): ReadonlySet<string> => {
  const windows = new Set<string>();
  for (const text of texts) {
    for (let from = 0; from + WINDOW <= text.length; from += WINDOW) windows.add(text.slice(from, from + WINDOW));
  }

  return windows;
};

const hasWindow = (text: string, windows: ReadonlySet<string>): boolean => {
  for (let from = 0; from + WINDOW <= text.length; from += 1) if (windows.has(text.slice(from, from + WINDOW))) return true;

  return false;
};

/** Builds a repeat test: whole texts from 8 characters, runs of 31, parts from 16. */
export const createRepeatDetector = (values: readonly Json[]): ((value: Json) => boolean) => {
  const texts = [...new Set(values.flatMap(textsOf))].filter((text) => text.length >= LEAST);
  const windows = windowsOf(texts);
  const all = texts.join("\n");
  const whole = texts
    .filter((text) => text.length < 2 * WINDOW)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_WHOLE);

  const isPart = (text: string) => text.length >= WINDOW && text.length < 2 * WINDOW && all.includes(text);

  return (value) =>
    texts.length > 0 &&
    textsOf(value).some((text) => hasWindow(text, windows) || isPart(text) || whole.some((part) => text.includes(part)));
};
