/** Compares without serializing. */
import { toCanonicalJson, type Json } from "@/lib/json";

type Members = Readonly<Record<string, unknown>>;

const isSame = (a: unknown, b: unknown, isOrdered: boolean): boolean => {
  if (typeof a !== "object" || a === null) return a === b;
  if (typeof b !== "object" || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, (b as readonly unknown[])[index], isOrdered));
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  let before = "";
  for (const name of names) {
    if ((isOrdered && name < before) || !Object.hasOwn(b, name)) return false;
    if (!isSame((a as Members)[name], (b as Members)[name], isOrdered)) return false;
    before = name;
  }

  return true;
};

/** Compares plain JSON. */
export const isSameJson = (a: Json, b: Json): boolean => isSame(a, b, false);

/**
 * Returns whether `text` is canonical.
 * @param read schema output
 */
export const isCanonicalText = (text: string, parsed: unknown, read: Json): boolean =>
  (JSON.stringify(parsed) === text && isSame(parsed, read, true)) || toCanonicalJson(read) === text;
