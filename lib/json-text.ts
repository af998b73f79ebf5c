/** JSON as text from outside: taken only when it says one thing. */
import { plainJson, type Json, type JsonLimits } from "@/lib/json";

/** Where the string that begins at `start` ends, in text that is JSON. */
const endOfString = (text: string, start: number): number => {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;

  return end;
};

/** Whether an object in this text, which is JSON, has a member twice: readers differ in which of the two they take. */
const hasTwin = (text: string): boolean => {
  /** The names so far of each object that is open; null for a list. */
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
      // Escapes are ways to write the same name, so what is compared is what is meant.
      const name: unknown = isName ? JSON.parse(text.slice(at, end + 1)) : null;
      if (isName && names?.has(name)) return true;
      if (isName) names?.add(name);
      at = end;
      isName = false;
    } else if (character === "{" || character === ",") isName = open.at(-1) !== null;
  }

  return false;
};

/** @returns undefined for what is no plain JSON within the limits, or has an object with a member twice */
export const parseJsonText = (text: string, limits: JsonLimits): Json | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    const plain = plainJson(value, limits);

    return plain.ok && !hasTwin(text) ? plain.value : undefined;
  } catch {
    return undefined;
  }
};
