import { toPlainJson, type Json, type JsonLimits } from "@/lib/json";
import { err, type Result } from "@/lib/result";

const endOfString = (text: string, start: number): number => {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;

  return end;
};

const nameIn = (quoted: string): unknown => (quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1));

/** Readers resolve duplicate members differently. */
const hasTwin = (text: string): boolean => {
  const open: (Set<unknown> | null)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(null);
    else if (character === "}" || character === "]") open.pop();
    if (character === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      // Escapes spell the same name.
      const name: unknown = isName ? nameIn(text.slice(at, end + 1)) : null;
      if (isName && names?.has(name)) return true;
      if (isName) names?.add(name);
      at = end;
      isName = false;
    } else if (character === "{" || character === ",") isName = open.at(-1) !== null;
  }

  return false;
};

export type JsonTextFault = "too_large" | "no_json" | "not_plain" | "member_twice";

export const JSON_TEXT_FAULTS = {
  too_large: "It is too large.",
  no_json: "It is not JSON from its beginning to its end.",
  not_plain: "It is nested too deeply, too large, or no plain JSON data.",
  member_twice: "An object in it has a member twice, so that two readers would see two documents.",
} as const satisfies Record<JsonTextFault, string>;

/** Reads unambiguous JSON; never throws. */
export const readJsonText = (text: string, limits: JsonLimits): Result<Json, JsonTextFault> => {
  if (text.length > limits.maxBytes) return err("too_large");
  try {
    const value: unknown = JSON.parse(text);
    if (hasTwin(text)) return err("member_twice");
    const plain = toPlainJson(value, limits);

    return plain.ok ? plain : err("not_plain");
  } catch {
    return err("no_json");
  }
};

/** Parses unambiguous JSON, else undefined. */
export const parseJsonText = (text: string, limits: JsonLimits): Json | undefined => {
  const read = readJsonText(text, limits);

  return read.ok ? read.value : undefined;
};

/** Yields single lines, since an array could fill memory. */
export function* linesOf(text: string): Generator<string, void, undefined> {
  let from = 0;
  while (from <= text.length) {
    const end = text.indexOf("\n", from);
    yield text.slice(from, end < 0 ? text.length : end);
    if (end < 0) return;
    from = end + 1;
  }
}
