/** Values compared without writing them out: whether they are the same, and whether a text is the canonical form of one. */
import { canonicalJson, type Json } from "@/lib/json";

type Members = Readonly<Record<string, unknown>>;

/** @param isOrdered whether the names of `a` have to be in the order of the canonical form too */
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

/** Whether these are the same JSON. false says nothing of values that are no plain JSON. */
export const isSameJson = (a: Json, b: Json): boolean => isSame(a, b, false);

/**
 * Whether `text` is the canonical form of `read`. Scalars stand in it as `JSON.stringify` writes them and members in the order of
 * their names, so a text that `JSON.stringify` gives back, whose names are in order and whose values were all kept is that form:
 * nobody has to sort and write it anew. Any other text is compared with the form itself.
 * @param parsed the plain JSON that stands in the text @param read what a schema made of it
 */
export const isCanonicalText = (text: string, parsed: unknown, read: Json): boolean =>
  (JSON.stringify(parsed) === text && isSame(parsed, read, true)) || canonicalJson(read) === text;
